"""Logs: structured, to standard error, off the result tables."""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logs(verbose: bool, as_json: bool) -> None:
    """Warnings and worse, or with `verbose` everything; as readable lines or as JSON."""
    level = logging.INFO if verbose else logging.WARNING
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
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
    if not verbose:
        logging.getLogger("mcp").setLevel(logging.ERROR)
