"""What an operator can set: environment variables that begin with ESPALIER_, or nothing at all."""

import os
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from espalier.limits import Limits
from espalier.places import INTERFACE, MODELS
from espalier.problems import Problem


class BadSetting(Problem):
    """An environment variable that cannot be used."""

    code = "bad-setting"


def _listed(given: Any) -> Any:
    """`a,b` in an environment variable as ("a", "b")."""
    return tuple(filter(None, map(str.strip, given.split(",")))) if isinstance(given, str) else given


def _counted(given: Any) -> Any:
    """`a=2,b=1` in an environment variable as {"a": 2, "b": 1}."""
    if not isinstance(given, str):
        return given
    pairs = [each.rpartition("=") for each in _listed(given)]
    return {name.strip(): count.strip() for name, _, count in pairs}


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]

Counts = Annotated[dict[str, Annotated[int, Field(ge=1)]], NoDecode, BeforeValidator(_counted)]


def _data_folder() -> Path:
    """Where programs keep what is theirs, by the custom of each system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "espalier"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "espalier"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "espalier"


class Settings(BaseSettings):
    """Every field has a value that works on a fresh machine."""

    model_config = SettingsConfigDict(env_prefix="ESPALIER_", frozen=True)

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port the server listens on; 0 takes a free one.")
    catalog: Path = Field(default=MODELS / "catalog.toml", description="TOML file that lists the models.")
    models: Names = Field(
        default=(), description="Models before those of the catalog, by their folders or hub ids, separated by commas."
    )
    frontend: Path = Field(default=INTERFACE, description="Folder of the built interface.")
    max_body_bytes: int = Field(default=1_000_000, ge=1, description="Largest request body that is read.")
    max_batch_bytes: int = Field(default=20_000_000, ge=1, description="Largest body of a batch.")
    bodies_megabytes: int = Field(
        default=200, ge=1, description="Megabytes of request bodies in memory at once, of all clients."
    )
    body_seconds: float = Field(default=30, gt=0, description="How long a client may take to send a request body.")
    allowed_hosts: Names = Field(
        default=(),
        description="Names a request may call the server by (its Host header), separated by commas. When empty: any, "
        "but on a loopback address only localhost and the address itself.",
    )
    cors_origins: Names = Field(
        default=(), description="Other sites whose scripts may read answers, separated by commas, such as https://a.org"
    )
    keys: Literal["auto", "local", "required", "off"] = Field(
        default="auto",
        description="Whether an access key is asked for: auto asks wherever others can reach the server, by its "
        "address, by a public name, or through a proxy; local does not look at the address.",
    )
    trusted_proxies: Names = Field(
        default=(), description="Addresses of reverse proxies whose X-Forwarded-For and -Proto headers are believed."
    )
    client_jobs: int = Field(default=200, ge=1, description="Unfinished jobs one client may have at once.")
    client_evaluations: int = Field(
        default=1_000_000, ge=1, description="Model evaluations the unfinished jobs of one client may expect."
    )
    connections: int = Field(default=1_000, ge=10, description="Connections the server has open at once.")
    client_connections: int = Field(
        default=200, ge=1, description="Connections of one address; those of this machine and of proxies do not count."
    )
    client_batches: int = Field(default=20, ge=1, description="Unfinished batches one client may have at once.")
    client_batch_megabytes: int = Field(
        default=200, ge=1, description="Megabytes of texts in all batches of one client that are kept."
    )
    client_evaluation_runs: int = Field(
        default=5, ge=1, description="Unfinished runs of the Lab one client may have at once."
    )
    client_evaluation_megabytes: int = Field(
        default=2_000, ge=1, description="Megabytes of texts and rows in all runs of one client that are kept."
    )
    jobs: int = Field(default=2_000, ge=1, description="Unfinished jobs the service accepts at once, of all clients.")
    evaluations: int = Field(
        default=5_000_000, ge=1, description="Model evaluations that all unfinished jobs together may expect."
    )
    client_questions: int = Field(
        default=32, ge=1, description="Predictions and trees one client may wait for at once."
    )
    questions: int = Field(
        default=256, ge=1, description="Predictions and trees that are waited for at once, by all clients."
    )
    joins: int = Field(
        default=120, ge=1, description="How often people may come from one address to one study within ten minutes."
    )
    prolific_keys: str = Field(
        default="https://api.prolific.com/.well-known/study/jwks.json",
        description="Where Prolific's public keys are: an address, or a file with the same contents.",
    )
    data: Path = Field(default_factory=_data_folder, description="Folder of what is kept: the database.")
    database: str | None = Field(
        default=None,
        description="Another database, such as postgresql+psycopg://user:password@host/espalier; SQLite when empty.",
    )
    shared_data: bool = Field(
        default=False,
        description="Whether all servers on a shared database have the same data folder: models can be edited then.",
    )
    keep_days: float = Field(default=30, gt=0, description="How long finished explanations are kept.")
    devices: Names = Field(
        default=(),
        description="Where models run, one worker for each: cuda:0,cuda:1 or cpu. When empty: all GPUs or cpu.",
    )
    precision: Literal["float32", "half", "bfloat16", "float16"] = Field(
        default="float32",
        description="What transformers compute in. half is bfloat16 on GPUs that have it, float16 on older ones and "
        "float32 on a processor.",
    )
    engine: Literal["embedded", "ray"] = Field(
        default="embedded", description="Who does the work: workers of this server's own, or those of a Ray cluster."
    )
    ray_address: str | None = Field(default=None, description="Where the Ray cluster's head is, such as head:6379.")
    ray_workers: int = Field(
        default=0,
        ge=0,
        description="Workers of the cluster that are always there; more are made while there is work for them. 0: one "
        "for each device, always.",
    )
    ray_model_workers: Counts = Field(
        default={}, description="How many workers a model is spread over, as sst2-minilm=2,emotion-minilm=1; else all."
    )
    ray_idle_seconds: float = Field(
        default=600, gt=0, description="How long a worker beyond ESPALIER_RAY_WORKERS has nothing to do before it goes."
    )
    worker_jobs: int = Field(default=32, ge=1, description="Jobs a worker does at once, sharing its batches.")
    worker_models: int = Field(default=8, ge=1, description="Models a worker keeps in memory when they are not in use.")
    worker_megabytes: int = Field(
        default=6_000, ge=500, description="Memory above which a worker is replaced at the next quiet moment."
    )
    worker_silence_seconds: float = Field(
        default=30, gt=0, description="Silence after which a worker counts as hung and is replaced."
    )
    batch_seconds: float = Field(
        default=300, gt=0, description="How long a model may take for one batch before its worker is replaced."
    )
    claim_seconds: float = Field(
        default=20, ge=1, description="Silence after which other servers on the same database take a server's jobs."
    )
    stop_seconds: float = Field(default=5, ge=0, description="How long jobs may finish when the server is stopped.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="What is logged.")
    log_format: Literal["text", "json"] = Field(default="text", description="How log lines look.")

    @model_validator(mode="after")
    def _engine_can_be_used(self) -> Self:
        if self.engine == "ray" and not self.ray_address:
            raise ValueError(
                "no cluster named: got ESPALIER_ENGINE=ray without ESPALIER_RAY_ADDRESS, possible is an address such "
                "as head:6379"
            )
        if self.engine == "ray" and find_spec("ray") is None:
            raise ValueError(
                "Ray is not installed: got ESPALIER_ENGINE=ray, possible is after pip install "
                "--requirement requirements-cluster.txt (or espalier[cluster])"
            )
        return self

    @property
    def worker_limits(self) -> Limits:
        return Limits(
            jobs=self.worker_jobs,
            models=self.worker_models,
            memory=self.worker_megabytes * 10**6,
            silence=self.worker_silence_seconds,
            batch=self.batch_seconds,
        )

    @property
    def edits(self) -> Path:
        """Where edited models are kept."""
        return self.data / "edits"

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'espalier.sqlite'}"


@cache
def settings() -> Settings:
    """The settings of this process, read once."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "".join(f"ESPALIER_{part}: ".upper() for part in first["loc"][:1])
        raise BadSetting(name + first["msg"].removeprefix("Value error, ")) from error
