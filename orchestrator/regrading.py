"""Grading again from what is stored: no agent, no server."""

from __future__ import annotations

from pathlib import Path

from orchestrator.grading import AnyGrade, graded
from orchestrator.hashes import hashes_of
from orchestrator.progress import Progress
from orchestrator.runs import opened
from worlds.catalogue import task_named
from worlds.episode import Usage

AT_ONCE = 1000


def regrade_run(directory: Path, progress: Progress) -> tuple[int, int]:
    """Grade every episode of a run again: how many there are, and how many grades changed.

    Raises RunError if the worlds are not those of the run: a journal can only be judged in the world it came from.
    """
    with opened(directory) as store, store.alone(), store.at_once(), progress:
        hashes = hashes_of(store.card)
        store.require_same(hashes, but=("graders",))
        progress.start(0, store.count())
        count = different = 0
        batch: dict[int, tuple[AnyGrade, Usage]] = {}
        for episode_id, _, condition, episode, before in store.episodes():
            world = task_named(condition.task).world(condition.twin)
            given = graded(world, condition, episode, store.readings(episode_id))
            batch[episode_id] = (given, episode.ending.usage)
            different += given != before
            count += 1
            progress.ended()
            if len(batch) == AT_ONCE:
                store.regrade(batch, {})
                batch = {}
        store.regrade(batch, hashes)
    return count, different
