"""Logs: structured, to standard error, off the result tables."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass

import structlog


@dataclass(frozen=True, slots=True)
class Logging:
    """What is logged: with `verbose` everything, else warnings and worse; as readable lines or as JSON."""

    verbose: bool = False
    as_json: bool = False


def configure_logs(wanted: Logging) -> None:
    """Log so in this process."""
    level = logging.INFO if wanted.verbose else logging.WARNING
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if wanted.as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s", force=True)
    if not wanted.verbose:
        logging.getLogger("mcp").setLevel(logging.ERROR)
