"""The pages of `twintown view`: HTML from the server, without scripts, for this machine alone.

Journals hold what outsiders wrote. Every page therefore forbids the browser to load or run anything but our style, and
is given out only to those who call this server by a name of this machine: a page of another site cannot read it.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import ModuleType

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from orchestrator.runs import RunCard
from orchestrator.viewing.drawn import environment, stylesheet, twin_fragment
from orchestrator.viewing.filter import BREAKDOWNS, FilterError, choices, filter_from
from orchestrator.viewing.twin import TwinView, verdict_of, word_of
from orchestrator.viewing.viewed import NotKept, Place, ViewedRun, installed_otherwise, place_from, place_of

NAMES = ("127.0.0.1", "localhost")
"""What a browser on this machine calls this server."""
MOST_UNGRADED = 1_000
"""Conditions without a grade that are listed."""
_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_CURSORS = ("after", "before", "last")
_LATER = "(what takes a while stands here)"
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#a3161f" d="M1 3h6v10H1z"/>'
    '<path fill="#0b6638" d="M9 3h6v10H9z"/></svg>'
)


def app_of(run: ViewedRun) -> Starlette:
    """The pages of an open run; to be served by the thread that opened it."""
    pages = _Pages(run)
    return Starlette(
        routes=[
            Route("/", pages.overview),
            Route("/breakdown", pages.breakdown),
            Route("/episodes", pages.episodes),
            Route("/episode/{id:int}", pages.episode),
            Route("/pair", pages.pair),
            Route("/ungraded", pages.ungraded),
            Route("/view.css", _style),
            Route("/icon.svg", _icon),
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
        ],
        exception_handlers={
            FilterError: partial(pages.refused, HTTPStatus.BAD_REQUEST),
            NotKept: partial(pages.refused, HTTPStatus.NOT_FOUND),
            HTTPException: pages.no_page,
        },
    )


class _Headers:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)


class _Pages:
    """One method a page. What only reads the store is done at once; what computes, in another thread."""

    def __init__(self, run: ViewedRun) -> None:
        self._run = run
        self._templates = environment()
        self._templates.globals.update(
            card=run.card,
            town=run.town,
            verdict_of=verdict_of,
            word_of=partial(word_of, run.card.suite),
            place_of=place_of,
        )
        self._computing = anyio.Lock()
        self._computed: _Computed | None = None

    async def overview(self, request: Request) -> Response:
        run = self._run
        page = self._drawn("overview", run=run, agents=run.agents(), readings=run.readings_count(), later=_LATER)
        return _in_two_parts(page, self._measures)

    async def breakdown(self, request: Request) -> Response:
        agent, by = request.query_params.get("agent", ""), request.query_params.get("by", "")
        has = BREAKDOWNS[self._run.town]
        if by not in has:
            raise FilterError(f"by: got {by!r}, expected {' or '.join(has)}")
        if agent not in [name for name, count in self._run.agents() if count]:
            raise NotKept(f"this run holds no episode of an agent {agent!r}")
        page = self._drawn("breakdown", agent=agent, by=by, breakdowns=has, later=_LATER)
        return _in_two_parts(page, partial(self._broken_down, agent, by))

    async def episodes(self, request: Request) -> Response:
        run, query = self._run, request.query_params
        asked = [(name, value) for name, value in query.multi_items() if name not in _CURSORS]
        chosen = filter_from(asked, run.town)
        page = run.page(chosen, _id(query, "after"), _id(query, "before"), "last" in query)
        agents = [agent for agent, _ in run.agents()]
        return self._page(
            "episodes", chosen=chosen, choices=choices(run.town), agents=agents, count=run.count(chosen), page=page
        )

    async def episode(self, request: Request) -> Response:
        await anyio.to_thread.run_sync(self._run.tasks)
        view, place = self._run.alone(request.path_params["id"])
        return self._twin(view, place, pair=False)

    async def pair(self, request: Request) -> Response:
        await anyio.to_thread.run_sync(self._run.tasks)
        place = place_from(request.query_params.multi_items())
        return self._twin(self._run.view(place), place, pair=True)

    async def ungraded(self, request: Request) -> Response:
        found = self._run.ungraded()
        return self._page("ungraded", failures=found[:MOST_UNGRADED], total=len(found))

    async def refused(self, status: HTTPStatus, request: Request, error: Exception) -> Response:
        return self._page("refused", status=status, title=status.phrase, says=str(error))

    async def no_page(self, request: Request, error: Exception) -> Response:
        status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
        return self._page("refused", status=status, title=status.phrase, says="There is no such page here.")

    def _twin(self, view: TwinView, place: Place, pair: bool) -> Response:
        near = self._run.elsewhere(place)
        return self._page("twins", view=view, fragment=twin_fragment(view), place=place, near=near, pair=pair)

    def _page(self, template: str, status: HTTPStatus = HTTPStatus.OK, **values: object) -> Response:
        return HTMLResponse(self._drawn(template, **values), status)

    def _drawn(self, template: str, **values: object) -> str:
        drawn = self._templates.get_template(f"{template}.html.j2")
        return drawn.render(here=template, ungraded_count=self._run.ungraded_count(), **values)

    async def _measures(self) -> str:
        return await self._table(lambda tables, results: tables.measures_table(results))

    async def _broken_down(self, agent: str, by: str) -> str:
        return await self._table(lambda tables, results: tables.breakdown_table(results, agent, by))

    async def _table(self, of: Callable[[ModuleType, object], object]) -> str:
        """A table of the run as it is now, or why there is none."""
        run = self._run
        async with self._computing:
            version = run.version
            if self._computed is None or self._computed.version != version:
                compute = partial(_computed, run.directory, run.card, run.hashes(), version)
                self._computed = await anyio.to_thread.run_sync(compute)
            found = self._computed
        table = None if found.problem else of(_tables(), found.results)
        return self._templates.get_template("measures.html.j2").render(
            changed=found.changed, problem=found.problem, table=table
        )


@dataclass(frozen=True, slots=True)
class _Computed:
    """The results of a run at a version of its store, or why there are none, and what is installed otherwise."""

    version: int
    results: object
    problem: str
    changed: tuple[str, ...]


def _computed(directory: Path, card: RunCard, made_with: Mapping[str, str], version: int) -> _Computed:
    changed = installed_otherwise(card, made_with)
    try:
        return _Computed(version, _tables().results_at(directory), "", changed)
    except (ValueError, LookupError) as error:
        return _Computed(version, None, f"The run cannot be measured: {error}.", changed)


def _tables() -> ModuleType:
    """The tables' module, loaded when they are first needed: its statistics take as long to load as all else."""
    return importlib.import_module("orchestrator.viewing.tables")


async def _style(request: Request) -> Response:
    return Response(stylesheet(), media_type="text/css")


async def _icon(request: Request) -> Response:
    return Response(_ICON, media_type="image/svg+xml")


def _in_two_parts(page: str, later: Callable[[], Awaitable[str]]) -> Response:
    """A page that is read up to where something takes a while, while that is computed."""
    first, _, rest = page.partition(_LATER)

    async def parts() -> AsyncIterator[str]:
        yield first
        yield await later()
        yield rest

    return StreamingResponse(parts(), media_type="text/html")


def _id(query: QueryParams, name: str) -> int | None:
    written = query.get(name)
    if written is None:
        return None
    if not written.isdecimal():
        raise FilterError(f"{name}: got {written!r}, expected an episode's number")
    return int(written)
