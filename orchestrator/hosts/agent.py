"""A host as the agent under test: `host:HOST[/MODEL][@POLICY]`.

In each episode it has its own folders, configuration and environment, made from nothing; it is told the request and the
addresses of the servers, and nothing else. What it prints is its message; what it did, the servers' journal says.
"""

from __future__ import annotations

import asyncio
import glob
import os
import re
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mcp import ClientSession

from orchestrator.agents.agent import Agent, Infrastructure, Maker, Reach, Unavailable, UnknownAgent
from orchestrator.endpoint.serving import Endpoint, scripted_model
from orchestrator.hosts.adapter import Adapter, Loaded, Turn, load_adapter, rendered
from orchestrator.hosts.installed import SYSTEM_PATH, Installed, installed
from orchestrator.hosts.output import Said, Unreadable, read_output
from orchestrator.hosts.process import Ended, Folders, Place, new_place, run_process
from servers.bounds import printable
from worlds.catalogue import Task
from worlds.episode import Condition, Usage

SCRIPTED_MODEL = "scripted"
"""The name by which hosts know the scripted model, unless the agent's name gives one."""

PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE")
"""What any host with a real model is passed of the user's environment, to reach its provider."""

_NAME = re.compile(r"host:(?P<host>.+?\.ya?ml|[^/@]+)(?:/(?P<model>[^@]+))?(?:@(?P<policy>.+))?")


class HostName(NamedTuple):
    """The parts of an agent's name; empty where it has none."""

    host: str
    model: str
    policy: str


def host_name(agent: str) -> HostName:
    """The parts of `host:HOST[/MODEL][@POLICY]`. Raises UnknownAgent."""
    match = _NAME.fullmatch(agent)
    if match is None:
        raise UnknownAgent(
            f"agent {agent!r}: expected host:HOST[/MODEL][@POLICY], such as host:codex or host:./my.yaml"
        )
    return HostName(match["host"], match["model"] or "", match["policy"] or "")


def host_agent(agent: str, policy: Maker | None) -> Maker:
    """The maker for a host's name; `policy` makes the reference agent that plays its model, if it names one.

    Raises UnknownAgent: no such host, not installed, or nothing by which it could reach its model.
    """
    name = host_name(agent)
    loaded = load_adapter(name.host)
    program = installed(loaded)
    given = {} if policy else _given(agent, loaded.adapter)
    model = name.model or (SCRIPTED_MODEL if policy else loaded.adapter.model)

    def make(task: Task, condition: Condition) -> Agent:
        return Host(loaded, program, model, given, partial(policy, task, condition) if policy else None)

    return make


def _given(agent: str, adapter: Adapter) -> dict[str, str]:
    """What the host gets of the user's environment. Raises UnknownAgent if it cannot reach its model without more."""
    provider = adapter.provider
    given = {name: os.environ[name] for name in (*provider.passes, *PROXIES) if os.environ.get(name)}
    if provider.needs and not any(name in given for name in provider.needs):
        raise UnknownAgent(
            f"agent {agent!r} needs {' or '.join(provider.needs)} in the environment; "
            "with @POLICY a reference agent plays its model, without a key"
        )
    return given


@dataclass(frozen=True, slots=True)
class _At:
    """Where the host is in one episode."""

    reach: Reach
    place: Place
    endpoint: Endpoint | None


class Host:
    """A host in one episode. `play`: makes the policy that plays its model, if that is scripted."""

    def __init__(
        self,
        loaded: Loaded,
        program: Installed,
        model: str,
        given: Mapping[str, str],
        play: Callable[[], Agent] | None = None,
    ) -> None:
        self._loaded, self._program, self._model, self._given, self._play = loaded, program, model, dict(given), play
        self._adapter = loaded.adapter
        self._session = str(uuid.uuid4())
        self._turn = 0
        self._said: list[Said] = []
        self._at: _At | None = None
        self.host_seconds = 0.0
        self.seen: tuple[str, ...] | None = None

    @property
    def usage(self) -> Usage:
        """Over all turns, as the host tells it; unknown if one turn did not."""
        turns = [said.usage for said in self._said]
        if len(turns) < self._turn or not turns:
            return Usage()
        return turns[-1] if self._adapter.output.cumulative else _sum_of(turns)

    @asynccontextmanager
    async def connected(self, reach: Reach) -> AsyncIterator[None]:
        """With folders of its own, and the scripted model if it has one. They go with what is left in them."""
        async with AsyncExitStack() as stack:
            place = await stack.enter_async_context(new_place())
            endpoint = None
            if self._play is not None:
                endpoint = await stack.enter_async_context(scripted_model(self._play, reach.tools))
            self._at = _At(reach, place, endpoint)
            stack.callback(self._remove_leavings)
            yield

    async def act(self, request: str, sessions: Mapping[str, ClientSession]) -> str | None:
        """One turn: the host is started, or resumed in its own session, and runs to its end.

        Raises Infrastructure for what is not the agent's doing, and Unavailable if the host cannot be started at all.
        """
        if self._at is None:
            raise RuntimeError("a host acts where it is connected")
        self._turn += 1
        if self._turn > 1 and not self._adapter.resume:
            raise Infrastructure("its adapter has no `resume`: it cannot be given a further turn")
        turn = self._as_turn(request, self._at)
        try:
            self._write_files(turn, self._at.place)
            command = [str(self._program.program), *self._arguments(turn)]
            folders = self._folders(turn)
            environment = self._environment(turn)
        except ValueError as error:
            raise Unavailable(f"{self._loaded.file.name}: {error}") from None
        start = time.monotonic()
        try:
            ended = await run_process(command, environment, self._at.place, folders)
        except asyncio.CancelledError:
            self.host_seconds += time.monotonic() - start
            raise
        self.host_seconds += ended.seconds
        return await self._judged(ended, self._at)

    def _as_turn(self, request: str, at: _At) -> Turn:
        return Turn(
            request=request,
            turn=self._turn,
            servers=dict(at.reach.addresses),
            model=self._model,
            endpoint=at.endpoint.address if at.endpoint else "",
            home=str(at.place.home),
            work=str(at.place.work),
            tmp=str(at.place.tmp),
            session=self._session,
            given=self._given,
            adapter=str(self._loaded.folder),
            uid=os.getuid(),
        )

    def _write_files(self, turn: Turn, place: Place) -> None:
        for file in self._adapter.files:
            path = place.home / rendered(file.path, turn)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(rendered(file.text, turn), encoding="utf-8")

    def _arguments(self, turn: Turn) -> list[str]:
        return [rendered(each, turn) for each in (self._adapter.arguments if turn.turn == 1 else self._adapter.resume)]

    def _environment(self, turn: Turn) -> dict[str, str]:
        """Nothing is inherited but what the adapter passes on."""
        texts = {**self._adapter.environment, **(self._adapter.scripted if turn.endpoint else {})}
        path = ":".join(map(str, (*self._program.path, *SYSTEM_PATH)))
        own = {"HOME": turn.home, "TMPDIR": turn.tmp, "PATH": path, "LANG": "C.UTF-8"}
        set_here = {name: rendered(text, turn) for name, text in texts.items()}
        return {**self._given, **own, **_past_proxies(self._given), **set_here}

    def _folders(self, turn: Turn) -> Folders:
        """What it can read and write besides its own folders and the system's."""
        writable = [Path(rendered(each, turn)) for each in self._adapter.writes]
        for folder in writable:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        readable = [*self._program.roots, *(self._loaded.folder / each for each in self._adapter.reads)]
        return Folders(tuple(readable), tuple(writable))

    def _remove_leavings(self) -> None:
        if self._at is not None and self._turn:
            turn = self._as_turn("", self._at)
            for pattern in self._adapter.leaves:
                for path in glob.glob(rendered(pattern, turn)):
                    Path(path).unlink(missing_ok=True)

    async def _judged(self, ended: Ended, at: _At) -> str:
        """The message of the turn. Raises Infrastructure if what came of it is not the agent's doing."""
        over = await at.reach.journal.ended()
        if at.endpoint is not None:
            self.seen = tuple(sorted(at.endpoint.offered))
            if trouble := at.endpoint.trouble or await _lost(at.endpoint, at.reach):
                raise self._failed(f"its model could not be played: {trouble}", ended)
        if ended.status != 0 and not over:
            raise self._failed(f"it {_end_of(ended)}", ended)
        if at.endpoint is not None and (astray := _astray(at.endpoint, self._turn)):
            raise self._failed(f"its model could not be played: {astray}", ended)
        try:
            if ended.too_long:
                raise Unreadable("it printed too much to be read")
            said = read_output(self._adapter.output, ended.printed)
        except Unreadable as error:
            if over:
                return ""
            raise self._failed(str(error), ended) from None
        self._said.append(said)
        self._session = said.session or self._session
        if said.tools is not None and at.endpoint is None:
            self.seen = tuple(sorted({*(self.seen or ()), *said.tools}))
        if missing := _not_among(self.seen, at.reach):
            raise self._failed(f"its model was not offered {', '.join(missing)}", ended)
        if said.denied:
            raise self._failed(f"it was denied calls of {', '.join(sorted(set(said.denied)))}", ended)
        if said.trouble and not over:
            raise self._failed(f"it says that it failed: {said.trouble}", ended)
        return said.message

    def _failed(self, reason: str, ended: Ended) -> Infrastructure:
        """With the end of what it complained of; without the values that it was given."""
        complaint = " ".join(ended.complained[-2000:].split())[-600:]
        told = f"host {self._adapter.host}: {reason}" + (f"; it complained: {complaint}" if complaint else "")
        for value in self._given.values():
            told = told.replace(value, "***")
        return Infrastructure(printable(told))


def _astray(endpoint: Endpoint, turns: int) -> str:
    """In which way the host held another conversation with the scripted model than with its person."""
    if (endpoint.conversations, endpoint.messages) == (1, turns):
        return ""
    return f"of {turns} messages it was told {endpoint.messages}, in {endpoint.conversations} conversations, not one"


async def _lost(endpoint: Endpoint, reach: Reach) -> str:
    """Which calls of the scripted model never reached the servers; empty if all did."""
    came = Counter((line.server, line.tool) for line in await reach.journal.lines())
    lost = Counter(endpoint.asked) - came
    if not lost or await reach.journal.ended():  # of calls after the end, not all are kept
        return ""
    return f"calls of {', '.join(sorted(tool for _, tool in lost))} never came to the servers"


def _not_among(seen: tuple[str, ...] | None, reach: Reach) -> list[str]:
    """The tools of the world that the model was not offered, if it is known what it was: each host joins the names of
    server and tool in its own way, but the tool's stands last."""
    if seen is None:
        return []
    ends = [_plain(name) for name in seen]
    tools = [tool for tools in reach.tools.values() for tool in tools]
    return [tool for tool in tools if not any(end.endswith(_plain(tool)) for end in ends)]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _sum_of(turns: list[Usage]) -> Usage:
    def added(counts: list[int | None]) -> int | None:
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    return Usage(
        requests=added([turn.requests for turn in turns]),
        input_tokens=added([turn.input_tokens for turn in turns]),
        output_tokens=added([turn.output_tokens for turn in turns]),
    )


def _end_of(ended: Ended) -> str:
    if ended.status is None:
        return "was lost: its watch was killed"
    return f"was killed by signal {-ended.status}" if ended.status < 0 else f"ended with status {ended.status}"


def _past_proxies(given: Mapping[str, str]) -> dict[str, str]:
    """The servers are on this machine, whatever proxy leads to the provider."""
    if not any(name in given for name in PROXIES[:2]):
        return {}
    return {"NO_PROXY": ",".join(each for each in (given.get("NO_PROXY", ""), "127.0.0.1", "localhost") if each)}
