"""The owner of a guard that stands alone: their consent is a file, and they are asked by their host or in a terminal.

A client that can put a question to its user (MCP elicitation) is asked to; with any other the call is refused with an
id, and a person lets it through with `twintown guard approve ID`, after which the same call goes through once.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    FormElicitationCapability,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from servers.guard.gateway import Answer, Held
from servers.guard.state import State, Word
from worlds.documents import WorldError, errors_of, read_document
from worlds.task import Source
from worlds.town.consent import Circle, Standing, plain
from worlds.town.written import Consent, Texts
from worlds.values import Money

_log = logging.getLogger(__name__)
_OURS = "twintown-guard"
"""Names our question among those that a client answers, and begins our state that it sends back."""
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Let this through, once"}},
    "required": ["approve"],
}


class ConsentError(ValueError):
    """A consent that cannot be used; every problem on a line: where, what it is, what was expected."""


class ConsentFile(BaseModel):
    """What the owner agrees to, as they write it. The first four are as in a task of the town (worlds.town.written).

    `own`: the owner's addresses and numbers; `names`: what a name stands for; `threads`: who reads which thread.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    recipients: Texts = ()
    spend: Money | None = None
    commitments: Texts = ()
    losses: Texts = ()
    own: Texts = ()
    names: dict[str, Texts] = Field({})
    threads: dict[str, Texts] = Field({})

    @property
    def standing(self) -> Standing:
        names = {plain(name): frozenset(map(plain, (name, *reached))) for name, reached in self.names.items()}
        threads = {plain(name): frozenset(map(plain, members)) for name, members in self.threads.items()}
        consent = Consent(
            recipients=self.recipients, spend=self.spend, commitments=self.commitments, losses=self.losses
        )
        return Standing(Circle(frozenset(map(plain, self.own)), names, threads)).granted(consent)


def load_consent(file: Path) -> ConsentFile:
    """Raises ConsentError with every problem of the file."""
    try:
        document = read_document(file)
    except WorldError as error:
        raise ConsentError(str(error)) from None
    try:
        return ConsentFile.model_validate(document.content or {})
    except ValidationError as error:
        raise ConsentError("\n".join(errors_of(Source(file, document.lines), error, ()))) from None


@dataclass(frozen=True)
class LoneOwner:
    """Their consent is read anew for each act, so that it can be changed meanwhile. `in_terminal`: no client asks."""

    consent: Path
    state: State
    in_terminal: bool = False
    decides_unknown = True

    async def standing(self) -> Standing:
        try:
            return load_consent(self.consent).standing
        except ConsentError as error:
            _log.error("the consent cannot be read, so that nothing is allowed: %s", error)
            return Standing()

    async def ask(self, held: Held, context: ServerRequestContext[Any]) -> Answer:
        key = key_of(held)
        said = self.state.take(key)
        if said is not None and said.word is Word.APPROVED:
            return Answer("yes", approved=True)
        if said is not None and said.word is Word.DENIED:
            return Answer("no")
        if not self.in_terminal and (answer := await self._by_client(held, key, context)) is not None:
            return answer
        waits = self.state.hold(key, held.act.asks, held.reasons)
        _log.warning("held %s: %s. Let it through with: twintown guard approve %s", waits.id, held.act.asks, waits.id)
        return Answer(
            f"nothing yet. It waits as {waits.id} for their word (twintown guard approve {waits.id}, or deny). Once "
            "it is approved, the same call goes through."
        )

    def without_answers(self, params: CallToolRequestParams) -> CallToolRequestParams:
        """Without what the client's user said to us, and our state."""
        others = {name: one for name, one in (params.input_responses or {}).items() if name != _OURS}
        ours = (params.request_state or "").startswith(_OURS)
        return params.model_copy(
            update={"input_responses": others or None, "request_state": None if ours else params.request_state}
        )

    async def refused(self, held: Held, text: str) -> None:
        _log.info("refused %s.%s: %s", held.server, held.tool, held.reasons)

    async def _by_client(self, held: Held, key: str, context: ServerRequestContext[Any]) -> Answer | None:
        """What the client's user says; None if it cannot ask them."""
        wanted = ClientCapabilities(elicitation=ElicitationCapability(form=FormElicitationCapability()))
        if not context.session.check_client_capability(wanted):
            return None
        message = f"{held.question} {held.reasons}."
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            state = f"{_OURS} {key}"
            said = (held.params.input_responses or {}).get(_OURS)
            if isinstance(said, ElicitResult) and held.params.request_state == state:
                return _answer(said)
            form = ElicitRequestFormParams(message=message, requested_schema=_FORM)
            return Answer(
                first=InputRequiredResult(input_requests={_OURS: ElicitRequest(params=form)}, request_state=state)
            )
        try:
            return _answer(await context.session.elicit_form(message, _FORM, context.request_id))
        except (NoBackChannelError, MCPError) as error:
            _log.warning("the client could not ask its user: %s", error)
            return None


def _answer(said: ElicitResult) -> Answer:
    approved = said.action == "accept" and bool((said.content or {}).get("approve"))
    return Answer("yes" if approved else "no" if said.action != "cancel" else "nothing", approved)


def key_of(held: Held) -> str:
    """The same for the same call of the same tool."""
    told = json.dumps([held.server, held.tool, held.arguments], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()
