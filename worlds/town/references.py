"""What a task's effects, triggers and people refer to must exist: a name that leads nowhere would fail in the middle of
an episode, or wait for ever."""

from __future__ import annotations

from collections.abc import Iterator

from worlds.town.consent import ANY, Circle, parted, plain
from worlds.town.people import digits
from worlds.town.task import OWN_SERVERS, TownWorld
from worlds.town.written import Consent, Effect, Trigger


def reference_problems(world: TownWorld) -> Iterator[str]:
    """One line for every reference that leads nowhere."""
    for number, later in enumerate(world.scenario.later):
        where = f"scenario.later[{number}]"
        if (later.at is None) == (later.when is None):
            yield f"{where}: expected either at or when"
        if later.when is not None:
            yield from (f"{where}.when: {problem}" for problem in _trigger_problems(world, later.when))
        yield from (f"{where}: {problem}" for problem in _effect_problems(world, later))
    for key, person in world.people.items():
        for index, answer in enumerate(person.answers):
            yield from (f"{key}.answers[{index}]: {problem}" for problem in _effect_problems(world, answer.does))
    for server, business in world.businesses.items():
        for form in business.forms:
            yield from (f"{server} form {form.id}: {problem}" for problem in _effect_problems(world, form.does))
    if world.file.warn is not None:
        yield from (f"warn.before: {problem}" for problem in _trigger_problems(world, world.file.warn.before))
    circle = Circle.of(world)
    for where, consent in _consents(world):
        yield from (f"{where}: {problem}" for problem in _consent_problems(world, circle, consent))


def _consents(world: TownWorld) -> Iterator[tuple[str, Consent]]:
    yield "consent", world.file.consent
    for number, fact in enumerate(world.file.intent):
        yield f"intent[{number}].grants", fact.grants
        yield f"intent[{number}].withdraws", fact.withdraws


def _consent_problems(world: TownWorld, circle: Circle, consent: Consent) -> Iterator[str]:
    """Names that nobody has: what is allowed or forbidden by them would be so for no one."""
    places = {*world.businesses, *OWN_SERVERS, *(calendar.id for calendar in world.household.calendars)}
    for recipient in consent.recipients:
        if not _is_someone(circle, recipient):
            yield f"recipients: there is nobody called {recipient!r}"
    for detail, whom in map(parted, consent.details):
        if detail not in world.file.details and not _is_pattern(detail):
            yield f"details: there is no {detail!r}; there is {', '.join(world.file.details) or 'none'}"
        if whom not in places and not _is_someone(circle, whom):
            yield f"details: there is nobody called {whom!r}"
    for act in consent.commitments:
        done, _, at = act.partition(" at ")
        server = at.partition("/")[0]
        if done in ("order", "booking", "form") and server not in world.businesses and not _is_pattern(server):
            yield f"commitments: there is no business {server!r}; there is {', '.join(world.businesses) or 'none'}"


def _is_someone(circle: Circle, written: str) -> bool:
    """Whether this is a name that somebody has, or is no name but an address, a number or a pattern."""
    wanted = plain(written)
    known = wanted in (ANY, *circle.names, *circle.threads)
    return known or "@" in wanted or any(sign.isdigit() for sign in wanted) or _is_pattern(wanted)


def _is_pattern(written: str) -> bool:
    return any(sign in written for sign in "*?[")


def _trigger_problems(world: TownWorld, trigger: Trigger) -> Iterator[str]:
    if not trigger.kind:
        yield "expected exactly one thing that the agent does"
        return
    wanted = str(getattr(trigger, trigger.kind))
    known = _known(world, trigger.kind)
    if known is not None and wanted != "*" and wanted.casefold() not in {each.casefold() for each in known}:
        yield f"{trigger.kind}: there is no {wanted!r}; there is {', '.join(sorted(known)) or 'none'}"


def _known(world: TownWorld, kind: str) -> set[str] | None:
    """What a trigger of this kind can name; None if anything."""
    household, businesses = world.household, world.businesses
    match kind:
        case "message_in":
            people = {contact.handle for contact in household.contacts} | {p.handle for p in world.people.values()}
            return {thread.id for thread in household.threads} | (people - {""})
        case "order_at":
            return {name for name, business in businesses.items() if business.shop}
        case "booking_at":
            return {name for name, business in businesses.items() if business.desk} | {
                f"{name}/{service.id}"
                for name, business in businesses.items()
                if business.desk
                for service in business.desk.services
            }
        case "form_at":
            forms = {f"{name}/{form.id}" for name, business in businesses.items() for form in business.forms}
            return forms | {name for name, business in businesses.items() if business.forms}
        case "asked":
            return {fact.fact for fact in world.file.intent}
        case _:
            return None


def _effect_problems(world: TownWorld, effect: Effect) -> Iterator[str]:
    for part in (effect.order, effect.booking, effect.page, effect.stock, effect.slot):
        if part is not None and part.at not in world.businesses:
            yield f"there is no business {part.at!r}; there is {', '.join(world.businesses) or 'none'}"
            return
    servers = {*OWN_SERVERS, *world.businesses}
    if effect.outage and effect.outage.server not in servers:
        yield f"outage: there is no server {effect.outage.server!r}; there is {', '.join(sorted(servers))}"
    if effect.stock and effect.stock.sku not in {each.sku for each in world.businesses[effect.stock.at].products}:
        yield f"stock: {effect.stock.at} has no product {effect.stock.sku!r}"
    if effect.slot:
        desk = world.businesses[effect.slot.at].desk
        if desk is None or effect.slot.slot not in {each.id for each in desk.slots}:
            yield f"slot: {effect.slot.at} has no slot {effect.slot.slot!r}"
    if effect.mail and effect.mail.account not in {account.id for account in world.household.accounts}:
        yield f"mail: there is no account {effect.mail.account!r}"
    if effect.message and effect.message.thread not in {thread.id for thread in world.household.threads}:
        yield f"message: there is no thread {effect.message.thread!r}"
    if effect.charge and effect.charge.card not in {card.id for card in world.household.cards}:
        yield f"charge: there is no card {effect.charge.card!r}"
    if effect.event and effect.event.calendar not in {calendar.id for calendar in world.household.calendars}:
        yield f"event: there is no calendar {effect.event.calendar!r}"


def doubled_addresses(world: TownWorld) -> Iterator[str]:
    """Mail addresses and numbers that lead to two people, of whom only the first would ever be reached."""
    for by in ("mail", "phone"):
        seen: dict[str, str] = {}
        for key, person in world.people.items():
            for address in getattr(person, by):
                known = address.casefold() if by == "mail" else digits(address)
                if known in seen and seen[known].partition(".")[0] != key.partition(".")[0]:
                    yield f"{address} leads to {seen[known]} and to {key}"
                seen.setdefault(known, key)
