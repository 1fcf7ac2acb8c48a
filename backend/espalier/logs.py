"""Logs: one line for each thing that happened, with its fields (job, worker, …) as name=value, or JSON for machines."""

import logging
import os
import socket
import sys

import structlog

from espalier.settings import settings


def _without_people(
    logger: structlog.typing.WrappedLogger, name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """A client is named by its key. An address may be an annotator's, and nothing may be left of a deleted study."""
    if isinstance(client := event.get("client"), str):
        kind, _, rest = client.partition(":")
        event["client"] = f"key:{rest.partition('/')[0]}" if kind == "key" else kind
    return event


SERVER = f"{socket.gethostname()}-{os.getpid()}"


def _plain_jobs(
    logger: structlog.typing.WrappedLogger, name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """A worker of a cluster adds to the id of a job which attempt it is: whoever looks for a job has its id alone."""
    if isinstance(job := event.get("job"), str):
        event["job"] = job.partition(".")[0]
    if isinstance(jobs := event.get("jobs"), list):
        event["jobs"] = [job.partition(".")[0] if isinstance(job, str) else job for job in jobs]
    return event


def set_up_logs(server: str = SERVER) -> None:
    """Once for each process, before anything is logged. `server` is the one that a process works for."""

    def _where(
        logger: structlog.typing.WrappedLogger, name: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        """Which of several servers and workers says it: their lines end up in one place."""
        event.setdefault("server", server)
        return event

    shared: list[structlog.typing.Processor] = [
        _without_people,
        _plain_jobs,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]
    if settings().log_format == "json":
        shared.insert(0, _where)
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings().log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last], foreign_pre_chain=shared
        )
    )
    logging.basicConfig(handlers=[handler], level=settings().log_level.upper(), force=True)
    # Libraries that tell their whole life at this level.
    for chatty in ("httpx", "alembic", "filelock", "urllib3", "transformers"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
