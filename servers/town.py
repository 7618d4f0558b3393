"""The servers of the town: the same middleware and journal as everywhere, in front of the one town."""

from __future__ import annotations

from functools import lru_cache

from mcp.server import Server
from pydantic import JsonValue

from servers.bounds import NOT_KEPT, keepable, printable
from servers.bus import Bus
from servers.journal import Journal
from servers.middleware.call import Call, Found, Handler, Refused
from servers.middleware.ending import refusing_after_the_end
from servers.middleware.journaling import journaling
from servers.middleware.masking import masking, told
from servers.server import Fault, mcp_server
from servers.tools import AUDIT_TOOLS, ToolSpec
from worlds.episode import CallKind, CallOutcome, JournalLine
from worlds.model import AUDIT, NOTHING_HIDDEN, Mask, Setting
from worlds.projection import Evidence, exposed
from worlds.town.evidence import marked, shown_text
from worlds.town.owner import CANNOT_SAY
from worlds.town.task import TownTask, TownWorld
from worlds.town.town import TURN, Action, Town

OWNER = "owner"
MOST_SAID = 20_000
"""Of the message that ends a turn, the owner reads so many letters."""
_AUDIT_TEXT = "An independent audit source."


def town_server_names(task: TownTask, setting: Setting) -> tuple[str, ...]:
    """The owner's own servers, the businesses', and the audit server in `recovery`."""
    return (*task.servers, AUDIT) if setting is Setting.RECOVERY else task.servers


@lru_cache(maxsize=512)
def town_tools(world: TownWorld) -> dict[str, tuple[str, tuple[ToolSpec, ...]]]:
    """What each server says of itself, and its tools."""
    town = Town(world)
    return {
        server: (
            place.about,
            tuple(ToolSpec(tool.name, tool.kind, tool.description, tool.arguments) for tool in place.tools()),
        )
        for server, place in town.places.items()
    }


def build_town_server(
    world: TownWorld, name: str, mask: Mask, most_calls: int, bus: Bus, journal: Journal, fault: Fault
) -> Server[object]:
    """The MCP server of one place of the town, or of the audit source."""
    if name == AUDIT:
        text, tools, door = _AUDIT_TEXT, AUDIT_TOOLS, masking(NOTHING_HIDDEN, _audit(world, bus, mask))
    else:
        about, tools = town_tools(world)[name]
        text = shown_text(about, {fact: told for fact, told in world.file.facts.items() if fact in mask})
        door = masking(mask, _place(world, name, bus))
    entrance = journaling(journal, name, tools, refusing_after_the_end(journal, most_calls, door))
    return mcp_server(name, text, tools, entrance, fault, journal.listed.add)


def _place(world: TownWorld, name: str, bus: Bus) -> Handler:
    facts = world.file.facts

    async def answer(call: Call) -> Found | Refused:
        action = _action(call, name)
        reply = await bus.act(action)
        if reply.content is None and NOT_KEPT in action.arguments:
            return Refused(f"{call.name}: the arguments are too long, nested too deep, or not JSON", reply.outcome)
        if reply.content is None:
            return Refused(reply.refused, reply.outcome, marked(reply.refused, facts))
        return Found(marked(reply.content, facts))

    return answer


def _action(call: Call, server: str) -> Action:
    """A call as it reaches the town. A name that no tool has stands in quotes, so that no call passes for the end of a
    turn."""
    tool = repr(call.name) if call.tool is None else call.name
    return Action(seq=call.seq, server=server, tool=tool, arguments=keepable(call.arguments))


def _audit(world: TownWorld, bus: Bus, mask: Mask) -> Handler:
    facts = world.file.facts

    async def answer(call: Call) -> Found | Refused:
        await bus.act(_action(call, AUDIT))
        if call.tool is None:
            return Refused(f"there is no tool {call.name!r} here; there is {AUDIT_TOOLS[0].name}")
        subject = call.arguments.get("subject")
        subjects = audit_subjects(world)
        if not isinstance(subject, str) or subject.casefold() not in {known.casefold() for known in subjects}:
            servers = ", ".join(world.task.servers)
            return Refused(
                f"{call.name}: {subject!r} is not a subject of this task; known: {servers}, and people by name"
            )
        omitted = [
            Evidence(
                {
                    "fact": Evidence(name),
                    "source": Evidence(fact.source),
                    "value": Evidence(fact.tells or fact.text),
                },
                frozenset({name}),
            )
            for name, fact in facts.items()
            if name in mask
        ]
        return Found(Evidence({"subject": Evidence(subject), "facts": Evidence(tuple(omitted))}))

    return answer


def audit_subjects(world: TownWorld) -> tuple[str, ...]:
    """What the audit source can be asked about: the servers of the task, and the people in it."""
    return (*world.task.servers, *sorted({person.name for person in world.people.values()}))


async def end_turn(world: TownWorld, mask: Mask, bus: Bus, journal: Journal, message: str) -> str | None:
    """Tell the town that the agent ended its turn with this message, and keep it in the journal.

    Returns the owner's next message, or None for the end.
    """
    seq = await journal.begin()
    kept: dict[str, JsonValue] = {"message": printable(message, MOST_SAID)}
    reply = await bus.act(Action(seq=seq, server=OWNER, tool=TURN, arguments=kept))
    said = (reply.content or {}).get("message")
    evidence = marked(said, world.file.facts)
    answer = None if said is None else told(evidence, mask) or CANNOT_SAY
    await journal.append(
        JournalLine(
            seq=seq,
            server=OWNER,
            tool=TURN,
            arguments=kept,
            kind=CallKind.TURN,
            outcome=CallOutcome.ANSWERED,
            shown=answer,
            exposed=tuple(sorted(set(exposed(evidence, mask)))),
            seconds=round(journal.seconds(), 6),
        )
    )
    return answer
