"""What an operator can set: environment variables that begin with ESPALIER_, or nothing at all."""

from functools import cache
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

_BACKEND = Path(__file__).parents[1]


class Settings(BaseSettings):
    """Every field has a value that works on a fresh machine."""

    model_config = SettingsConfigDict(env_prefix="ESPALIER_", frozen=True)

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port the server listens on; 0 takes a free one.")
    catalog: Path = Field(default=_BACKEND / "models" / "catalog.toml", description="TOML file that lists the models.")
    frontend: Path = Field(default=_BACKEND.parent / "frontend" / "dist", description="Folder of the built interface.")
    max_body_bytes: int = Field(default=1_000_000, ge=1, description="Largest request body that is read.")


@cache
def settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
