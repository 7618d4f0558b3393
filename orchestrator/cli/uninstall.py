"""`twintown uninstall`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.installing.hosts import HOSTS, Surroundings, host_named
from orchestrator.installing.installation import uninstall as take_out
from orchestrator.sessions import installations_root


def uninstall(
    host: Annotated[str, typer.Argument(help=f"The host: {', '.join(HOSTS)}.")],
    config: Annotated[Path | None, typer.Option(help="The file, if it is not the host's usual one.")] = None,
) -> None:
    """Take a session's entries out of a host's configuration again, after `serve --install` was killed."""
    known = host_named(host)
    print(take_out(known, config or known.file(Surroundings()), installations_root()))
