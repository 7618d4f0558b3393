"""An adapter: the file that tells how a host is started, configured and read. Four are shipped; any other can be given.

Texts in it are Jinja templates over what `Turn` holds; what is read from a host's output are JMESPath expressions.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import jinja2
import jmespath
import yaml
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from orchestrator.agents.agent import UnknownAgent

SHIPPED = Path(__file__).parent / "adapters"
FOLDER = "TWINTOWN_HOSTS"
"""The environment variable that names a folder with adapters of one's own."""


def _as_json(value: Any) -> str:
    """JSON that is also a TOML value where it is a text."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_TEMPLATES = jinja2.Environment(
    undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True
)
_TEMPLATES.filters.update(json=_as_json, toml=_as_json, sha256=_sha256)


def _template(text: str) -> str:
    try:
        _TEMPLATES.parse(text)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"not a template: {error}") from None
    return text


def _expression(text: str) -> str:
    try:
        jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError(f"not a JMESPath expression: {' '.join(str(error).split())}") from None
    return text


Template = Annotated[str, AfterValidator(_template)]
Expression = Annotated[str, AfterValidator(_expression)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Api(StrEnum):
    """The interface that a host speaks to its model."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    GEMINI = "gemini"


class Package(_Part):
    """Where a host comes from: an npm package in one version. `node`: the least major version of Node that it runs on;
    0 if it brings what it needs."""

    npm: str
    version: str
    node: int = 0


class Provider(_Part):
    """What a host needs for a model that is real. `passes`: variables of the user's environment that it gets, by name;
    `needs`: of these, at least one must be set, if there are any."""

    passes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class File(_Part):
    """A file that is written before the host starts. Its path is absolute or in the host's HOME."""

    path: Template
    text: Template


class Form(StrEnum):
    """What a host prints: one JSON document, JSON objects line by line (read as one list), or its message as it is."""

    JSON = "json"
    LINES = "json lines"
    TEXT = "text"


class Output(_Part):
    """How what a host prints is read: expressions over the JSON, which may find nothing but for `message`.

    `session`: the id by which it resumes. `denied`: calls of the world's tools that it was not allowed. `trouble`: why
    it could not do its work, where that is not the agent's doing. `tools`: what its model was offered. `requests`,
    `input_tokens`, `output_tokens`: of this turn, or of all turns so far if `cumulative`.
    """

    form: Form
    message: Expression = "@"
    session: Expression | None = None
    denied: Expression | None = None
    trouble: Expression | None = None
    tools: Expression | None = None
    requests: Expression | None = None
    input_tokens: Expression | None = None
    output_tokens: Expression | None = None
    cumulative: bool = False


class Adapter(_Part):
    """One host.

    `program`: its command, looked for on PATH, or a path from the adapter's folder if it begins with `./`; `version`:
    the arguments that print its version. `get`: its package, or `how` to get it, in words. `arguments`: of the first
    turn; `resume`: of the following ones. `scripted`: environment for the scripted model endpoint, in place of the
    provider's. `reads`: folders besides its own and the system's that it must be able to read; `writes`: such as it
    must be able to write; `leaves`: globs of what it leaves there, which is removed with its own folders.
    """

    host: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    about: str
    program: str = Field(min_length=1)
    version: tuple[str, ...] = ("--version",)
    get: Package | None = None
    how: str = ""
    speaks: Api
    model: str = Field(min_length=1)
    provider: Provider = Provider()
    environment: dict[str, Template] = {}
    scripted: dict[str, Template] = {}
    files: tuple[File, ...] = ()
    arguments: tuple[Template, ...]
    resume: tuple[Template, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[Template, ...] = ()
    leaves: tuple[Template, ...] = ()
    output: Output


class Turn(_Part):
    """What templates can use.

    `request`: the message of this turn, the `turn`-th from 1. `servers`: the address of each server by name. `model`:
    the model's name; `endpoint`: the address of the scripted model, empty for a real one. `home`, `work`, `tmp`: the
    host's own folders. `session`: an id of this episode, a UUID, until the host's output gives another. `given`: the
    variables of the user's environment that are passed on. `adapter`: the folder of the adapter's file. `uid`: the
    user's number.
    """

    request: str
    turn: int
    servers: dict[str, str]
    model: str
    endpoint: str
    home: str
    work: str
    tmp: str
    session: str
    given: dict[str, str]
    adapter: str
    uid: int


@lru_cache(maxsize=512)
def _compiled(template: str) -> jinja2.Template:
    return _TEMPLATES.from_string(template)


def rendered(template: str, turn: Turn) -> str:
    """A template with what the turn holds. Raises ValueError if it names what there is not."""
    try:
        return _compiled(template).render(turn.__dict__)
    except (jinja2.TemplateError, TypeError) as error:
        raise ValueError(f"the template {template!r} cannot be used: {error}") from None


class Loaded(_Part):
    """An adapter and the file that it stands in."""

    adapter: Adapter
    file: Path

    @property
    def folder(self) -> Path:
        return self.file.parent


def load_adapter(host: str, environment: Mapping[str, str] = os.environ) -> Loaded:
    """An adapter by the path of its file, or by name: from the folder that TWINTOWN_HOSTS names, or shipped.

    Raises UnknownAgent: there is none, or it is not in order; the message tells every fault, each with its field.
    """
    own = environment.get(FOLDER, "")
    if re.search(r"\.ya?ml$", host):
        return _loaded(Path(host))
    for folder in ([Path(own)] if own else []) + [SHIPPED]:
        if (file := folder / f"{host}.yaml").is_file():
            return _loaded(file)
    known = ", ".join(sorted(each.adapter.host for each in adapters(environment)))
    raise UnknownAgent(
        f"there is no host {host!r}; there is {known}, and any other by its adapter file: host:./NAME.yaml"
    )


def adapters(environment: Mapping[str, str] = os.environ) -> tuple[Loaded, ...]:
    """All adapters that have a name: those shipped, and those in the folder that TWINTOWN_HOSTS names. Raises
    UnknownAgent for one that is not in order."""
    own = environment.get(FOLDER, "")
    files = {file.stem: file for folder in (SHIPPED, *([Path(own)] if own else [])) for file in folder.glob("*.yaml")}
    return tuple(_loaded(files[name]) for name in sorted(files))


def _loaded(file: Path) -> Loaded:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        adapter = Adapter.model_validate_json(json.dumps(found), strict=True)
    except OSError as error:
        raise UnknownAgent(f"{file} cannot be read: {error.strerror}; give the path of an adapter file") from None
    except (yaml.YAMLError, TypeError, UnicodeDecodeError) as error:
        raise UnknownAgent(f"{file} is not YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}" for each in error.errors())
        raise UnknownAgent(f"{file} is not an adapter: {faults}; docs/hosts.md describes the fields") from None
    return Loaded(adapter=adapter, file=file.resolve())
