"""A process that we started ends when the one that started it does, however that ends."""

from __future__ import annotations

import os
import threading
from multiprocessing import connection, parent_process


def die_with_parent() -> None:
    """Called once in a process that multiprocessing started: from then on it does not outlive its parent."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
