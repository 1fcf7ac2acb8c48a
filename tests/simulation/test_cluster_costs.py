"""What `python -m benchmarks.cluster` counts as a cluster's memory, and when it says that a target was met."""

import pytest
from benchmarks.cluster import Bare, Measured, Shared, kind_of, section


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("/site-packages/ray/core/src/ray/gcs/gcs_server --log_dir=/tmp/ray", "gcs_server"),
        ("/site-packages/ray/core/src/ray/raylet/raylet --raylet_socket_name=/tmp/ray/raylet.1", "raylet"),
        ("ray::IDLE", "idle Python processes"),
        ("ray::RayWorker.listen", "actors"),
        ("python -m espalier.engine.crews.ray.courier --address 127.0.0.1:6379", "couriers"),
        ("python -u /site-packages/ray/_private/log_monitor.py --session-dir=/tmp/ray", "agents, monitors and reapers"),
        ("python -m espalier.engine.worker.start --device cpu", None),
        ("python -m espalier serve", None),
    ],
)
def test_memory_is_counted_by_kind_and_a_workers_own_is_not(line: str, kind: str | None) -> None:
    assert kind_of(line) == kind


def test_targets_are_met_or_missed_by_what_was_measured() -> None:
    most, apart = Bare(10.0, 19.0), Shared(2.0, 3.9, {"actors": 0.05})
    good = Measured(200, most, Shared(2.0, 3.7, {"actors": 0.06}), apart, (10.0, 10.4), (0.10, 0.14), {"raylet": 80.0})
    # However well machines do that have a core each: the target is of those that share two.
    bad = Measured(200, most, Shared(2.0, 3.5, {"actors": 0.06}), apart, (10.0, 10.6), (0.10, 0.16), {"raylet": 80.0})
    assert [target.met for target in section(good).targets] == [True, True, True]
    assert [target.met for target in section(bad).targets] == [False, False, False]
