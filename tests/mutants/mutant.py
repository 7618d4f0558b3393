"""What a mutant is: one change, and what must notice it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: what it does wrong, where, and the commands of which one must fail."""

    wrong: str
    file: str
    old: str
    new: str
    catchers: tuple[tuple[str, ...], ...]


def check(family: str) -> tuple[str, ...]:
    return ("-m", "orchestrator.cli", "check", "--workers", "1", "--only", family)


def tests(*files: str) -> tuple[str, ...]:
    return ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *(f"tests/{file}" for file in files))
