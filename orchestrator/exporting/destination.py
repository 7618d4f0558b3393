"""Where an export goes: it is written beside its place and moved there whole, so that a broken one is never found."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "export.json"
"""The file that says what an export is; only a directory with it is replaced."""


class ExportError(ValueError):
    """An export that cannot be made; the message says where, what was found and what to do."""


@contextmanager
def written_whole(out: Path, force: bool) -> Iterator[Path]:
    """A new directory to write into, that becomes `out` at the end, and is gone if anything fails.

    Raises ExportError if `out` is there, unless `force` is given and it is an export.
    """
    _require_free(out, force)
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        unfinished.chmod(0o755)
        yield unfinished
        _require_free(out, force)
        if out.exists():
            shutil.rmtree(out)
        unfinished.rename(out)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _require_free(out: Path, force: bool) -> None:
    if not out.exists() and not out.is_symlink():
        return
    if not force:
        raise ExportError(f"{out} is there already; give another --out, or --force to replace an export")
    if out.is_symlink() or not (out / MARK).is_file():
        raise ExportError(f"{out} is no export (it has no {MARK}) and is not replaced; give another --out")
