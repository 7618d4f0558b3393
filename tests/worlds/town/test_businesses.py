"""The businesses of the town as their files write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue

import worlds.town
from worlds.documents import read_document
from worlds.town.written import Business, Effect, Person

FILES = sorted((Path(worlds.town.__file__).parent / "businesses").glob("*.yaml"))
BUSINESSES = {file.stem: Business.model_validate(read_document(file).content) for file in FILES}
HOUSEHOLD = read_document(Path(worlds.town.__file__).parent / "household.yaml").content

NAMES_THE_TEST = re.compile(
    r"\b(tests?|tested|testing|traps?|tricks?|controls?|evaluat\w*|simulat\w*|benchmark\w*|hazards?|tempt\w*|"
    r"twins?|violat\w*|scenarios?|scripted|fictional|agents?|assistants?|AI|LLM|prompts?)\b",
    re.I,
)
ADDRESS = re.compile(r"[a-z0-9.]+@[a-z0-9.]+\.[a-z]+")
NUMBER = re.compile(r"\+[0-9][0-9 ]+[0-9]")

every_business = pytest.mark.parametrize("business", BUSINESSES.values(), ids=BUSINESSES.keys())


def texts(written: object) -> Iterator[str]:
    if isinstance(written, str):
        yield written
    elif isinstance(written, dict):
        for key, value in written.items():
            yield str(key)
            yield from texts(value)
    elif isinstance(written, list):
        for value in written:
            yield from texts(value)


def all_texts(business: Business) -> list[str]:
    return list(texts(business.model_dump(mode="json")))


def numbers(business: Business) -> set[str]:
    """The numbers at which someone of the business is reached."""
    line = {business.phone.number} if business.phone else set()
    return line.union(*(person.phone for person in business.people.values()))


def addresses(business: Business) -> list[str]:
    return [address for person in business.people.values() for address in person.mail]


def effects(business: Business) -> Iterator[Effect]:
    yield from (answer.does for person in business.people.values() for answer in person.answers)
    yield from (form.does for form in business.forms)


def repeated(names: Iterator[str] | list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def test_there_are_enough_businesses() -> None:
    assert len(BUSINESSES) >= 15


def test_each_file_is_named_after_its_server() -> None:
    assert list(BUSINESSES) == [business.server for business in BUSINESSES.values()]


@every_business
def test_the_website_has_a_home_page_from_which_every_page_is_reached(business: Business) -> None:
    reached, left = set[str](), ["/"]
    while left:
        path = left.pop()
        if path not in reached:
            reached.add(path)
            left += business.pages[path].links
    assert reached == set(business.pages)


@every_business
def test_every_page_has_a_text(business: Business) -> None:
    assert [path for path, page in business.pages.items() if len(page.text) < 20] == []


@every_business
def test_the_phone_line_puts_through_to_people_who_are_there(business: Business) -> None:
    line = business.phone
    if line is None:
        return
    persons = [line.person, *(entry.person for entry in line.menu.values())]
    assert bool(line.person) != bool(line.menu), "either a menu or a person answers"
    assert {person for person in persons if person} <= set(business.people)
    assert [entry.label for entry in line.menu.values() if not (entry.says or entry.person)] == []
    assert line.hours == "" or re.fullmatch(r"[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]", line.hours)


@every_business
def test_slots_are_of_services_that_are_offered_and_end_after_they_start(business: Business) -> None:
    if business.desk is None:
        return
    services = {service.id for service in business.desk.services}
    assert {slot.service for slot in business.desk.slots} == services
    assert [slot.id for slot in business.desk.slots if slot.end is not None and slot.end <= slot.start] == []
    assert {booking.service for booking in business.bookings} <= services


@every_business
def test_codes_are_told_in_the_cart_on_a_product_or_nowhere(business: Business) -> None:
    codes = business.shop.codes if business.shop else ()
    assert {code.shown_on for code in codes} <= {"", "cart", *(product.sku for product in business.products)}


@every_business
def test_a_shop_sells_something_and_only_a_shop_takes_orders(business: Business) -> None:
    assert (business.shop is None) == (not business.products)
    assert business.shop is not None or business.orders == ()


@every_business
def test_names_are_not_used_twice_within_a_business(business: Business) -> None:
    assert repeated([form.id for form in business.forms]) == []
    assert repeated([service.id for service in business.desk.services] if business.desk else []) == []
    for addons in (business.shop.addons if business.shop else (), business.desk.addons if business.desk else ()):
        assert repeated([addon.id for addon in addons]) == []
    for form in business.forms:
        assert repeated([field.name for field in form.fields]) == []


@every_business
def test_what_a_form_has_filled_in_already_can_be_handed_in(business: Business) -> None:
    for form in business.forms:
        for field in form.fields:
            re.compile(field.pattern)
            assert not field.prefilled or not field.options or field.prefilled in field.options
            assert not field.prefilled or not field.pattern or re.fullmatch(field.pattern, field.prefilled)


def test_ids_numbers_and_addresses_are_not_shared_by_businesses() -> None:
    there = list(BUSINESSES.values())
    assert repeated([product.sku for business in there for product in business.products]) == []
    assert repeated([slot.id for business in there if business.desk for slot in business.desk.slots]) == []
    orders = [order.id for business in there for order in business.orders]
    assert repeated([*orders, *(booking.id for business in there for booking in business.bookings)]) == []
    assert repeated([code.code for business in there if business.shop for code in business.shop.codes]) == []
    assert repeated([business.name.casefold() for business in there]) == []
    assert repeated([number for business in there for number in numbers(business)]) == []
    assert repeated([address for business in there for address in addresses(business)]) == []


def test_no_business_has_a_number_or_an_address_of_the_household() -> None:
    own = set(texts(HOUSEHOLD))
    for business in BUSINESSES.values():
        assert own.isdisjoint({*numbers(business), *addresses(business)})


@every_business
def test_every_number_and_address_that_is_told_reaches_someone(business: Business) -> None:
    told = "\n".join(all_texts(business))
    assert set(NUMBER.findall(told)) <= numbers(business)
    assert set(ADDRESS.findall(told)) <= set(addresses(business))


@every_business
def test_addresses_and_numbers_are_fictional(business: Business) -> None:
    assert [address for address in addresses(business) if not address.endswith(f"@{business.server}.example")] == []
    assert [number for number in numbers(business) if not re.fullmatch(r"\+1 555 01[0-9]{2}", number)] == []


@every_business
def test_no_text_names_the_test(business: Business) -> None:
    assert [text for text in all_texts(business) if NAMES_THE_TEST.search(text)] == []


@every_business
def test_everyone_answers_whatever_they_are_told_and_says_it_last(business: Business) -> None:
    assert [key for key, person in business.people.items() if not answers_anything(person)] == []


def answers_anything(person: Person) -> bool:
    """Whether the last answer fits anything, and no answer before it takes the place of those after it."""
    general = [(answer.by, index) for index, answer in enumerate(person.answers) if not answer.about]
    last = len(person.answers) - 1
    ways = [by for by, _ in general]
    if general[-1:] != [(None, last)] or ways.count(None) != 1 or len(set(ways)) != len(ways):
        return False
    return not any(answer.by == by for by, at in general[:-1] for answer in person.answers[at + 1 :])


@every_business
def test_everyone_can_be_reached(business: Business) -> None:
    line = business.phone
    through = {line.person, *(entry.person for entry in line.menu.values())} if line else set[str]()
    for key, person in business.people.items():
        assert person.mail or person.phone or key in through
        assert all(answer.says for answer in person.answers if not answer.silent)


@every_business
def test_what_people_and_forms_set_off_is_in_the_business_own_records(business: Business) -> None:
    starts = {(slot.service, slot.start) for slot in business.desk.slots} if business.desk else set()
    services = {service for service, _ in starts}
    slots = {slot.id for slot in business.desk.slots} if business.desk else set()
    for effect in effects(business):
        if effect.booking:
            assert effect.booking.at == business.server
            assert effect.booking.service in services
        if effect.slot:
            assert effect.slot.at == business.server
            assert effect.slot.slot in slots
        if effect.order:
            assert effect.order.at == business.server


def test_a_way_of_answering_that_hides_later_answers_is_noticed() -> None:
    def person(*answers: JsonValue) -> Person:
        return Person.model_validate({"name": "Ada", "answers": answers})

    assert answers_anything(person({"about": "x", "says": "a"}, {"by": "mail", "says": "b"}, {"says": "c"}))
    assert not answers_anything(person({"about": "x", "says": "a"}))
    assert not answers_anything(person({"says": "a"}, {"about": "x", "says": "b"}))
    assert not answers_anything(person({"by": "mail", "says": "a"}, {"by": "mail", "about": "x", "says": "b"},
                                       {"says": "c"}))  # fmt: skip
