"""What can be said of the cluster's container files and manifests without an engine to run them. `make containers`
holds them against the schemas of Kubernetes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest

from espalier.api.metrics import Metrics
from espalier.engine.messages import WorkerStatus
from espalier.engine.protocol import EngineStatus
from espalier.settings import Settings

ROOT = Path(__file__).parents[2]
KUBERNETES = ROOT / "deploy" / "kubernetes"


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    return {name: each for name, each in found.items() if each.get("profiles") == ["cluster"]}


def documents() -> list[dict[str, Any]]:
    listed = yaml.safe_load((KUBERNETES / "base" / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    return [each for name in listed for each in yaml.safe_load_all((KUBERNETES / "base" / name).read_text("utf-8"))]


def containers() -> list[dict[str, Any]]:
    """Of all pods that the manifests make."""
    found: list[dict[str, Any]] = []

    def look(value: Any) -> None:
        if isinstance(value, dict):
            found.extend(value.get("containers", []))
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    for document in documents():
        look(document)
    return found


def test_the_cluster_has_two_servers_two_workers_a_head_a_database_and_a_proxy() -> None:
    found = services()
    assert set(found) == {"postgres", "ray-head", "ray-worker", "server", "proxy"}
    assert found["server"]["deploy"]["replicas"] == found["ray-worker"]["deploy"]["replicas"] == 2
    for service in found.values():
        for needed in service.get("depends_on", {}):
            assert needed in found


def test_only_the_proxy_can_be_reached_and_only_from_this_machine() -> None:
    published = {name: each["ports"] for name, each in services().items() if "ports" in each}
    assert list(published) == ["proxy"]
    assert all(port.startswith("127.0.0.1:") for port in published["proxy"])


def test_no_secret_is_written_down() -> None:
    texts = [
        (ROOT / "docker-compose.yml").read_text("utf-8"),
        *(path.read_text("utf-8") for path in KUBERNETES.rglob("*.yaml")),
    ]
    assert not any(re.search(r"(?i)(password|auth_token|secret): +[^$\s]", text) for text in texts)
    assert not [each for each in documents() if each["kind"] == "Secret"]


def test_ray_asks_for_its_token_everywhere() -> None:
    assert "RAY_AUTH_MODE=token" in (ROOT / "backend" / "Dockerfile").read_text(encoding="utf-8")
    for container in containers():
        given = {each["name"]: each for each in container["env"]}
        assert given["RAY_AUTH_MODE"]["value"] == "token"
        assert given["RAY_AUTH_TOKEN"]["valueFrom"]["secretKeyRef"]["key"] == "auth_token"


def test_every_container_is_confined_and_has_limits() -> None:
    assert len(containers()) == 3
    for container in containers():
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["securityContext"]["capabilities"]["drop"] == ["ALL"]
        assert {"memory"} <= container["resources"]["limits"].keys()


def test_no_service_of_the_cluster_writes_but_to_its_volumes_or_takes_all_memory() -> None:
    for name, service in services().items():
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name
        assert service["mem_limit"], name
    # What the service keeps beside its database.
    assert all("data:/data" in services()[name]["volumes"] for name in ("server", "ray-worker"))


def test_servers_are_asked_how_they_are() -> None:
    server = next(each for each in containers() if each["name"] == "server")
    assert server["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    assert server["livenessProbe"]["httpGet"]["path"] == "/health/live"


def probe(container: str) -> list[str]:
    found = next(each for each in containers() if each["name"] == container)
    # One that is missing would be added by the operator, and ask an agent that the image has not.
    assert found["readinessProbe"]["exec"]["command"] == found["livenessProbe"]["exec"]["command"]
    asked: list[str] = found["livenessProbe"]["exec"]["command"]
    return asked


def test_the_head_is_asked_by_what_compose_asks_it_by() -> None:
    """tests/engine/test_ray.py runs it against a real one."""
    told = services()["ray-head"]["healthcheck"]["test"]
    assert ["CMD", *probe("ray-head")] == told


def test_a_machine_is_well_while_ray_runs_on_it(tmp_path: Path) -> None:
    _, *asked = probe("ray-worker")
    raylet = shutil.copy(shutil.which("sleep") or "sleep", tmp_path / "raylet")
    with subprocess.Popen([raylet, "600"]) as running:
        assert subprocess.run([sys.executable, *asked], check=False).returncode == 0
        running.kill()


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="needs a process space of its own")
def test_a_machine_without_ray_is_not_well() -> None:
    alone = ["unshare", "--pid", "--fork", "--mount-proc"]
    assert subprocess.run([*alone, sys.executable, *probe("ray-worker")[1:]], check=False).returncode == 1


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl here")
@pytest.mark.parametrize("variant", ["base", "gpu"])
def test_kustomize_puts_the_manifests_together(variant: str) -> None:
    made = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES / variant)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    found = list(yaml.safe_load_all(made.stdout))
    assert sorted(each["kind"] for each in found) == sorted(each["kind"] for each in documents())
    assert {each["metadata"].get("namespace") for each in found if each["kind"] != "Namespace"} == {"espalier"}
    assert ("nvidia.com/gpu" in made.stdout) == (variant == "gpu")


def test_every_setting_they_name_is_one() -> None:
    known = {f"ESPALIER_{name.upper()}" for name in Settings.model_fields}
    texts = [
        (ROOT / "docker-compose.yml").read_text("utf-8"),
        *(path.read_text("utf-8") for path in KUBERNETES.rglob("*.yaml")),
    ]
    assert {name for text in texts for name in re.findall(r"\bESPALIER_[A-Z_]+", text)} <= known


def test_versions_of_ray_agree() -> None:
    locked = re.search(r"^ray==(\S+)$", (ROOT / "requirements-cluster.txt").read_text("utf-8"), re.MULTILINE)
    assert locked is not None
    cluster = next(each for each in documents() if each["kind"] == "RayCluster")
    assert cluster["spec"]["rayVersion"] == locked[1]


def test_what_a_patch_changes_is_there() -> None:
    """The GPU variant, applied by hand."""
    cluster: Any = json.loads(json.dumps(next(each for each in documents() if each["kind"] == "RayCluster")))
    for patch in yaml.safe_load((KUBERNETES / "gpu" / "workers.yaml").read_text(encoding="utf-8")):
        *parents, last = [part.replace("~1", "/") for part in patch["path"].split("/")[1:]]
        place = cluster
        for part in parents:
            place = place[int(part)] if isinstance(place, list) else place[part]
        place[last] = patch["value"]
    worker = cluster["spec"]["workerGroupSpecs"][0]["template"]["spec"]
    assert worker["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert worker["tolerations"]


def test_every_metric_of_the_dashboard_is_one() -> None:
    kept = Metrics()
    worker = WorkerStatus("cpu", "ready", 0, 0, name="a-cpu0")
    kept.look(EngineStatus(True, 0, 0, (worker,)))
    kept.jobs.labels("shap", "succeeded").inc()
    kept.evaluations.labels("shap").inc()
    kept.requests.labels("GET", "/", "200").inc()
    kept.seconds.labels("GET", "/").observe(1)
    said = generate_latest(kept.registry).decode()
    board = json.loads((ROOT / "deploy" / "grafana" / "espalier.json").read_text(encoding="utf-8"))
    asked = {name for panel in board["panels"] for each in panel["targets"] for name in _METRIC.findall(each["expr"])}
    assert len(asked) > 10
    assert not {name for name in asked if f"{name}{{" not in said and f"\n{name} " not in said}


_METRIC = re.compile(r"\b(?:espalier|process)_[a-z_]+")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx here: tests/proxy/nginx.sh installs one")
def test_the_proxy_understands_its_file(tmp_path: Path) -> None:
    written = (ROOT / "deploy" / "cluster" / "nginx.conf").read_text(encoding="utf-8")
    # The name is one of the compose network, and looked up there.
    written = written.replace("server server:8000 resolve", "server 127.0.0.1:8000").replace(
        "listen 8080", "listen 18080"
    )
    whole = f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{ access_log off;\n{written}\n}}\n"
    (tmp_path / "nginx.conf").write_text(whole, encoding="utf-8")
    checked = subprocess.run(
        ["nginx", "-t", "-c", str(tmp_path / "nginx.conf")], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
