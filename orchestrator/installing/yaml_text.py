"""YAML files of a person's own: entries are added and taken out by lines, so that comments and layout stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml


def read(text: str) -> dict[str, object]:
    """What the text holds; nothing for an empty text. Raises ValueError."""
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"it is not YAML: {error}") from None
    if found is not None and not isinstance(found, dict):
        raise ValueError(f"it holds a {type(found).__name__}; expected a mapping")
    return found or {}


def added(text: str, path: Sequence[str], entries: Mapping[str, object]) -> str:
    """The text with these entries in the mapping at `path` (one name), which is made where it is missing."""
    (section,) = path
    root = _root(text)
    found = _member(root, section) if root else None
    if found is None:
        before = text if not text or text.endswith("\n") else text + "\n"
        return before + _written({section: dict(entries)}, 0)
    key, value = found
    if isinstance(value, yaml.ScalarNode) and not value.value:
        line, column = key.start_mark.line + 1, key.start_mark.column + 2
    elif isinstance(value, yaml.MappingNode) and value.value and not value.flow_style:
        line, column = value.start_mark.line, value.start_mark.column
    else:
        raise ValueError(f"{section} is not written as entries below each other")
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    lines.insert(line, _written(entries, column))
    return "".join(lines)


def removed(text: str, path: Sequence[str], names: Iterable[str]) -> str:
    """The text without these entries of the mapping at `path` (one name, or none for the whole file)."""
    for name in names:
        place: yaml.Node | None = _root(text)
        for step in path:
            found = _member(place, step) if isinstance(place, yaml.MappingNode) else None
            place = found[1] if found else None
        pair = _member(place, name) if isinstance(place, yaml.MappingNode) else None
        if pair is not None:
            lines = text.splitlines(keepends=True)
            del lines[pair[0].start_mark.line : _last_line(pair[1]) + 1]
            text = "".join(lines)
    return text


def _root(text: str) -> yaml.MappingNode | None:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return root if isinstance(root, yaml.MappingNode) else None


def _member(mapping: yaml.MappingNode, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next(((key, value) for key, value in mapping.value if key.value == name), None)


def _last_line(node: yaml.Node) -> int:
    """The last line of a value. A block's own end mark stands at what follows it, comments included."""
    if isinstance(node, yaml.MappingNode) and node.value and not node.flow_style:
        return _last_line(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and node.value and not node.flow_style:
        return _last_line(node.value[-1])
    last: int = node.end_mark.line
    return last


def _written(entries: Mapping[str, object], column: int) -> str:
    text = yaml.safe_dump(dict(entries), sort_keys=False, allow_unicode=True, default_flow_style=False, width=1000)
    return "".join(" " * column + line for line in text.splitlines(keepends=True))
