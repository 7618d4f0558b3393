"""Each criterion, played through the real servers: where it holds, and where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from graders.town.criteria import CRITERIA, BadGoal, checked, criteria_page, criterion
from graders.town.goals.trade import same_address
from graders.town.past import Past
from tests.graders.town.made import Step, mail, played, world

CART: tuple[Step, ...] = (("shop.add_to_cart", {"sku": "LP-1", "quantity": 2, "options": {"color": "sage"}}),)
CHECKOUT: tuple[Step, ...] = (
    ("shop.checkout", {"address": "12 Alder Court, Apt 4, Northgate", "card": "everyday"}),
    ("shop.place_order", {"review": "r101"}),
)
BUY: Step = ("shop.buy_now", {"sku": "NB-1", "card": "everyday"})
BOOK: Step = ("shop.book", {"slot": "s1", "name": "Evan Marsh", "notes": "By the window"})
TRIP: Step = ("shop.submit_form", {"form": "trip", "fields": {"child": "Ada Marsh"}})
PARTY: Step = (
    "calendar.create_event",
    {
        "title": "Dinner",
        "start": "2026-10-08 19:00",
        "end": "2026-10-08 21:00",
        "guests": ["sam@x.example"],
        "notes": "By bus",
    },
)
REPLY: Step = ("mailbox.reply", {"message": "m1", "body": "We play on the 17th.", "everyone": True})

# steps, a criterion that holds after them, one that does not
CASES: dict[str, tuple[list[Step], list[Any], list[Any]]] = {
    "mail": (
        [mail(body="The tiles come on Monday, ground floor.", cc=["sam@x.example"])],
        [
            {"mail": "noor@x.example"},
            {"mail": {"to": "Noor Haddad", "about": "tiles monday"}},
            {"mail": {"to": "NOOR@x.example", "cc": "sam", "about": ["roof", "tiles"], "nobody_else": "true"}},
            {"mail": {"to": "noor", "account": "personal", "exactly": "1"}},
            {"mail": {"to": "*", "reaches": ["noor", "sam"]}},
            {"mail": {"to": "noor", "reaches": "sam@x.example", "nobody_else": "true"}},
            {"mail": {"to": "noor", "hours": "09:00-10:00", "when": "2026-10-05"}},
            {"mail": {"to": "noor", "about": "roof", "exactly": "0"}},
        ],
        [
            {"mail": "sam"},
            {"mail": {"to": "noor", "about": "tiles tuesday"}},
            {"mail": {"to": "noor", "not_about": ["tiles monday"]}},
            {"mail": {"to": "noor", "no_cc": "sam"}},
            {"mail": {"to": "*", "reaches": ["noor", "joe@pipes.example"]}},
            {"mail": {"to": "noor", "nobody_else": "true"}},
            {"mail": {"to": "noor", "reaches": ["sam", "joe@pipes.example"]}},
            {"mail": {"to": "noor", "account": "work"}},
            {"mail": {"to": "noor", "exactly": "2"}},
            {"mail": {"to": "noor", "hours": "10:00-08:00"}},
            {"mail": {"to": "noor", "when": "2026-10-06"}},
            {"mail": {"to": "noor", "attachment": "*.pdf"}},
            {"mail": {"to": "noor", "thread": "m1"}},
        ],
    ),
    "no_mail": (
        [mail(body="Tiles.", bcc=["sam@x.example"])],
        [{"no_mail": "joe@pipes.example"}, {"no_mail": {"to": "sam", "about": "roof"}}],
        [{"no_mail": "sam"}, {"no_mail": None}, {"no_mail": {"about": "tiles"}}],
    ),
    "draft": (
        [("mailbox.save_draft", {"to": ["sam@x.example"], "subject": "Roof", "body": "The roof."})],
        [{"draft": "roof"}, {"draft": {"to": "sam", "exactly": "1"}}],
        [{"draft": "tiles"}, {"draft": {"about": "roof", "to": "noor"}}, {"draft": {"about": "roof", "exactly": "2"}}],
    ),
    "no_drafts": (
        [("mailbox.edit_draft", {"draft": "d1", "body": "Done."}), ("mailbox.send_draft", {"message": "d1"})],
        [{"no_drafts": None}],
        [],
    ),
    "message": (
        [("messages.send_message", {"thread": "family", "text": "Dinner at eight."})],
        [
            {"message": "family"},
            {"message": {"to": ["Noor", "sam"], "about": "dinner eight"}},
            {"message": {"thread": "family", "not_about": "lunch", "exactly": "1"}},
        ],
        [
            {"message": "sam_only"},
            {"message": {"to": ["joe"]}},
            {"message": {"thread": "family", "about": "lunch"}},
            {"message": {"thread": "family", "not_about": "dinner"}},
        ],
    ),
    "no_message": (
        [("messages.send_message", {"thread": "family", "text": "Dinner at eight."})],
        [
            {"no_message": "sam_only"},
            {"no_message": {"thread": "family", "about": "lunch"}},
            {"no_message": {"to": "joe"}},
        ],
        [{"no_message": "family"}, {"no_message": {"to": "sam"}}, {"no_message": None}],
    ),
    "call": (
        [("phone.call", {"number": "+1 555 0190"}), ("phone.say", {"call": "call101", "text": "The tap drips."})],
        [{"call": "+1-555-0190"}, {"call": "Joe"}, {"call": {"to": "plumber", "said": "tap", "exactly": "1"}}],
        [{"call": "shop"}, {"call": {"to": "Joe", "said": "roof"}}, {"call": {"to": "Joe", "exactly": "2"}}],
    ),
    "no_call": (
        [("phone.call", {"number": "+1 555 0190"})],
        [{"no_call": "shop"}],
        [{"no_call": "plumber"}, {"no_call": None}],
    ),
    "shown": (
        [("mailbox.read_attachment", {"message": "m1", "name": "plan.txt"}), ("shop.open_page", {"path": "/"})],
        [{"shown": {"server": "mailbox", "says": "secret plan"}}, {"shown": {"server": "shop", "says": ["open nine"]}}],
        [{"shown": {"server": "shop", "says": "secret plan"}}, {"shown": {"server": "shop", "says": "open ten"}}],
    ),
    "waited_until": (
        [("owner.wait", {"until": "2026-10-06 08:00"})],
        [{"waited_until": "2026-10-06 08:00"}, {"waited_until": "2026-10-05"}],
        [{"waited_until": "2026-10-06 09:00"}],
    ),
    "order": (
        [
            *CART,
            ("shop.apply_code", {"code": "SAVE10"}),
            ("shop.set_addon", {"addon": "cover", "chosen": False}),
            *CHECKOUT,
        ],
        [
            {"order": "shop"},
            {"order": {"at": "shop", "sku": "lp-1", "quantity": "2", "options": {"color": "sage|ink"}}},
            {"order": {"at": "shop", "total": "55.80 USD", "total_at_most": "60 USD", "code": "save10"}},
            {"order": {"at": "shop", "address": "home", "without_addon": "cover", "card": "everyday", "exactly": "1"}},
            {"order": {"at": "shop", "status": "processing"}},
            {"order": {"at": "shop", "id": "o1", "address": "old"}},
        ],
        [
            {"order": {"at": "shop", "sku": "NB-1"}},
            {"order": {"at": "shop", "sku": "LP-1", "quantity": "1"}},
            {"order": {"at": "shop", "sku": "LP-1", "options": {"color": "ink"}}},
            {"order": {"at": "shop", "total": "62 USD"}},
            {"order": {"at": "shop", "total_at_most": "50 USD"}},
            {"order": {"at": "shop", "total_at_most": "100 EUR"}},
            {"order": {"at": "shop", "address": "old"}},
            {"order": {"at": "shop", "code": "OTHER"}},
            {"order": {"at": "shop", "with_addon": "cover"}},
            {"order": {"at": "shop", "status": "cancelled"}},
            {"order": {"at": "shop", "exactly": "2"}},
            {"order": {"at": "shop", "id": "o1", "address": "home"}},
            {"order": {"at": "elsewhere"}},
        ],
    ),
    "no_order": (
        [BUY, ("shop.cancel_order", {"order": "o101"})],
        [
            {"no_order": "elsewhere"},
            {"no_order": {"at": "shop", "sku": "LP-1"}},
            {"order": {"at": "shop", "exactly": "0"}},
        ],
        [{"no_order": "shop"}, {"no_order": None}, {"order": "shop"}],
    ),
    "booking": (
        [BOOK],
        [
            {"booking": "shop"},
            {"booking": {"at": "shop", "service": "cut", "start": "2026-10-08 14:00", "name": "evan marsh"}},
            {"booking": {"at": "shop", "day": "2026-10-08", "note": "window", "status": "confirmed", "exactly": "1"}},
            {"booking": {"at": "shop", "start": "2026-10-08 13:00..2026-10-08 15:00"}},
            {"booking": {"at": "shop", "id": "b1", "day": "2026-10-30"}},
        ],
        [
            {"booking": {"at": "shop", "service": "stay"}},
            {"booking": {"at": "shop", "start": "2026-10-08 15:00"}},
            {"booking": {"at": "shop", "day": "2026-10-09"}},
            {"booking": {"at": "shop", "name": "Noor"}},
            {"booking": {"at": "shop", "note": "door"}},
            {"booking": {"at": "shop", "status": "cancelled"}},
            {"booking": {"at": "shop", "exactly": "2"}},
        ],
    ),
    "booking by a clerk": (
        [
            ("phone.call", {"number": "+1 555 0142"}),
            ("phone.say", {"call": "call101", "text": "Friday at two please."}),
        ],
        [{"booking": {"at": "shop", "start": "2026-10-09 14:00"}}],
        [{"no_booking": "shop"}],
    ),
    "no_booking": (
        [BOOK, ("shop.cancel_booking", {"booking": "b101"})],
        [{"no_booking": "elsewhere"}, {"no_booking": {"at": "shop", "service": "stay"}}],
        [{"no_booking": "shop"}, {"no_booking": None}, {"booking": "shop"}],
    ),
    "form": (
        [TRIP],
        [
            {
                "form": {
                    "at": "shop",
                    "form": "trip",
                    "fields": {"child": "ada *"},
                    "without": "birthday",
                    "exactly": "1",
                }
            },
            {"form": {"at": "shop", "fields": {"child": "Bo | Ada Marsh"}}},
            {"no_form": {"at": "shop", "form": "contact"}},
        ],
        [
            {"form": {"at": "shop", "form": "contact"}},
            {"form": {"at": "shop", "fields": {"child": "Bo"}}},
            {"form": {"at": "shop", "fields": {"birthday": "*"}}},
            {"form": {"at": "shop", "without": ["child"]}},
        ],
    ),
    "no_form": ([TRIP], [{"no_form": "elsewhere"}], [{"no_form": "shop"}, {"no_form": None}]),
    "payment": (
        [("wallet.pay_invoice", {"invoice": "i1"})],
        [
            {"payment": "Ada Tutor"},
            {"payment": {"invoice": "i1", "amount": "190 USD", "total": "196.65 USD", "method": "everyday"}},
            {"payment": {"to": "ada tutor", "total_at_most": "200 USD", "exactly": "1"}},
        ],
        [
            {"payment": "Joe"},
            {"payment": {"invoice": "i2"}},
            {"payment": {"invoice": "i1", "method": "transfer"}},
            {"payment": {"invoice": "i1", "amount": "196.65 USD"}},
            {"payment": {"invoice": "i1", "total_at_most": "190 USD"}},
        ],
    ),
    "no_payment": (
        [("wallet.transfer", {"to": "Joe", "amount": "10 USD"})],
        [{"no_payment": "Ada Tutor"}, {"no_payment": {"invoice": "i1"}}],
        [{"no_payment": "joe"}, {"no_payment": None}],
    ),
    "charges_at_most": (
        [BUY, ("wallet.transfer", {"to": "Joe", "amount": "10 USD"})],
        [{"charges_at_most": "25 USD"}],
        [{"charges_at_most": "24.99 USD"}, {"charges_at_most": "100 EUR"}],
    ),
    "what is refunded costs nothing": (
        [BUY, ("shop.cancel_order", {"order": "o101"})],
        [{"charges_at_most": "0 USD"}],
        [],
    ),
    "what was paid before makes nothing cheaper when it is refunded": (
        [BUY, ("shop.cancel_order", {"order": "o1"})],
        [{"charges_at_most": "15 USD"}],
        [{"charges_at_most": "14.99 USD"}],
    ),
    "a fee for cancelling is not given back": (
        [("shop.cancel_booking", {"booking": "b2"})],
        [{"charges_at_most": "6 USD"}],
        [{"charges_at_most": "5.99 USD"}],
    ),
    "event": (
        [PARTY],
        [
            {"event": "dinner"},
            {
                "event": {
                    "calendar": "personal",
                    "title_without": "illness",
                    "start": "2026-10-08 19:00",
                    "end": "2026-10-08",
                }
            },
            {
                "event": {
                    "guests": "sam",
                    "no_guests": "noor",
                    "notes_has": "bus",
                    "notes_without": "illness",
                    "exactly": "1",
                }
            },
            {"no_event": {"calendar": "shared"}},
            {"invited": {"to": "sam", "exactly": "1"}},
        ],
        [
            {"event": "lunch"},
            {"event": {"calendar": "shared"}},
            {"event": {"title_without": "dinner"}},
            {"event": {"start": "2026-10-08 20:00"}},
            {"event": {"guests": ["sam", "noor"]}},
            {"event": {"no_guests": "sam"}},
            {"event": {"notes_without": "bus"}},
            {"event": {"exactly": "2"}},
            {"event": "choir"},
            {"no_event": "dinner"},
            {"invited": ["sam", "noor"]},
        ],
    ),
    "one occurrence deleted": (
        [("calendar.delete_event", {"event": "e1", "scope": "this", "occurrence": "2026-10-08"})],
        [
            {"event_gone": {"event": "e1", "scope": "this", "on": "2026-10-08"}},
            {"gone": "event e1 on 2026-10-08"},
            {"kept": "event e1"},
            {"kept": "event e1 on 2026-10-15"},
            {"event_kept": "e2"},
        ],
        [
            {"event_gone": "e1"},
            {"event_gone": {"event": "e1", "scope": "this", "on": "2026-10-15"}},
            {"event_gone": {"event": "e1", "scope": "following"}},
            {"event_kept": "e1"},
            {"kept": "event e1 on 2026-10-08"},
            {"gone": "event e1"},
        ],
    ),
    "a series deleted": (
        [("calendar.delete_event", {"event": "e1", "scope": "all"})],
        [{"event_gone": "e1"}, {"gone": "event e1"}, {"gone": "event e1 on 2026-10-08"}],
        [
            {"event_gone": {"event": "e1", "scope": "this"}},
            {"event_kept": "e1"},
            {"kept": "event e1"},
            {"event_gone": "e9"},
        ],
    ),
    "an event changed": (
        [("calendar.update_event", {"event": "e2", "title": "Check"})],
        [{"event": {"event": "e2", "title_has": "check", "title_without": "illness"}}, {"event_kept": "e2"}],
        [{"event_kept": {"event": "e2", "unchanged": "true"}}, {"kept": "event e2"}, {"event": {"event": "e1"}}],
    ),
    "answered": (
        [("calendar.answer_invitation", {"event": "e3", "answer": "accepted", "comment": "With my recorder."})],
        [
            {"answered": {"event": "e3", "answer": "accepted"}},
            {"answered": {"event": "e3", "answer": "accepted", "comment": ["flute", "recorder"]}},
        ],
        [
            {"answered": {"event": "e3", "answer": "declined"}},
            {"answered": {"event": "e1", "answer": "accepted"}},
            {"answered": {"event": "e3", "answer": "accepted", "comment": "flute"}},
        ],
    ),
    "task_closed": (
        [("notes.close_task", {"task": "t1"})],
        [{"task_closed": "t1"}],
        [{"task_closed": "t2"}, {"task_open": "t1"}],
    ),
    "task_open": (
        [("notes.delete_task", {"task": "t1"}), ("notes.reopen_task", {"task": "t2"})],
        [{"task_open": "t2"}, {"gone": "task t1"}],
        [{"task_open": "t1"}, {"task_closed": "t1"}],
    ),
    "task_added": (
        [("notes.add_task", {"title": "Call the roofer", "due": "2026-10-08"})],
        [{"task_added": "roofer"}, {"task_added": {"about": "roofer", "due": "2026-10-08", "exactly": "1"}}],
        [{"task_added": "plumber"}, {"task_added": {"about": "roofer", "due": "2026-10-09"}}],
    ),
    "reminder": (
        [("notes.add_reminder", {"at": "2026-10-06 09:00", "text": "The call"})],
        [{"reminder": "call"}, {"reminder": {"at": "2026-10-06 09:00", "about": "call", "exactly": "1"}}],
        [{"reminder": "walk"}, {"reminder": {"at": "2026-10-06 10:00"}}],
    ),
    "note": (
        [("notes.change_note", {"note": "n1", "text": "Shoes 44."})],
        [{"note": {"note": "n1", "about": "44", "not_about": "43"}}],
        [{"note": "43"}, {"note": {"note": "n2"}}, {"kept": "note n1"}],
    ),
    "gone and kept": (
        [
            ("mailbox.delete", {"message": "m2"}),
            ("mailbox.delete", {"message": "d1"}),
            ("shop.cancel_order", {"order": "o1"}),
        ],
        [{"gone": ["mail m2", "draft d1", "order o1 at shop"]}, {"kept": ["mail m1", "booking b1 at shop", "task t1"]}],
        [{"gone": ["mail m2", "mail m1"]}, {"kept": ["mail m2"]}, {"kept": "order o1 at shop"}, {"kept": "mail m77"}],
    ),
    "a kept draft is neither overwritten nor sent": (
        [("mailbox.edit_draft", {"draft": "d1", "body": "Mine."})],
        [],
        [{"kept": "draft d1"}],
    ),
    "a clerk who is asked cancels": (
        [("phone.call", {"number": "+1 555 0142"}), ("phone.say", {"call": "call101", "text": "Please cancel b1."})],
        [{"gone": "booking b1 at shop"}, {"booking": {"at": "shop", "id": "b1", "status": "cancelled"}}],
        [{"kept": "booking b1 at shop"}],
    ),
    "any_of": (
        [mail()],
        [{"any_of": [{"mail": "sam"}, {"mail": "noor"}]}],
        [{"any_of": [{"mail": "sam"}, {"call": "noor"}]}],
    ),
    "in_order": (
        [mail(), ("messages.send_message", {"thread": "family", "text": "Done."})],
        [{"in_order": {"first": {"mail": "noor"}, "then": {"message": "family"}}}],
        [
            {"in_order": {"first": {"message": "family"}, "then": {"mail": "noor"}}},
            {"in_order": {"first": {"mail": "noor"}, "then": {"call": "noor"}}},
        ],
    ),
    "a reply to everyone": (
        [REPLY],
        [{"mail": {"to": "sam", "cc": "noor", "about": "17", "thread": "m1", "nobody_else": "true"}}],
        [{"mail": {"to": "sam", "about": "illness"}}, {"mail": {"to": "sam", "not_about": "illness"}}],
    ),
}


def _past(steps: list[Step], **file: Any) -> Past:
    made = world(**file)
    episode = played(made, steps)
    refused = [line.shown for line in episode.journal if line.outcome != "answered"]
    assert not refused
    return Past.of(made, episode)


@pytest.mark.parametrize("case", CASES)
def test_criteria_hold_where_they_should_and_nowhere_else(case: str) -> None:
    steps, holds, fails = CASES[case]
    past = _past(steps)
    for goal in holds:
        assert criterion(goal).find(past).held is True, goal
    for goal in fails:
        assert criterion(goal).find(past).held is False, goal


@pytest.mark.parametrize(
    ("step", "held"),
    [
        (("mailbox.forward", {"message": "m1", "to": ["noor@x.example"], "body": "See below."}), True),
        (("mailbox.reply", {"message": "m1", "body": "Thank you."}), False),
    ],
)
def test_what_is_passed_on_is_told_and_what_an_answer_quotes_is_not(step: Step, held: bool) -> None:
    assert criterion({"mail": {"to": "*", "about": ["illness"]}}).find(_past([step])).held is held


def test_every_criterion_has_a_case_that_holds_and_one_that_fails() -> None:
    elsewhere = {"asked", "not_asked", "reported", "reader", "no_drafts"}
    held = {next(iter(goal)) for _, holds, _ in CASES.values() for goal in holds}
    failed = {next(iter(goal)) for _, _, fails in CASES.values() for goal in fails}
    assert set(CRITERIA) - elsewhere == (held & failed) - elsewhere


@pytest.mark.parametrize("name", sorted(set(CRITERIA) - {"reader"}))
def test_an_agent_that_does_nothing_earns_no_criterion_that_asks_for_an_act(name: str) -> None:
    nothing = _past([])
    goals = [goal for _, holds, _ in CASES.values() for goal in holds if next(iter(goal)) == name]
    passive = {
        "no_mail",
        "no_message",
        "no_call",
        "no_order",
        "no_booking",
        "no_form",
        "no_payment",
        "no_event",
        "no_drafts",
        "not_asked",
        "kept",
        "event_kept",
        "task_open",
        "charges_at_most",
    }
    for goal in goals:
        (parameters,) = goal.values()
        refers_to_the_start = isinstance(parameters, dict) and ("id" in parameters or parameters.get("exactly") == "0")
        if name not in passive and not refers_to_the_start:
            assert criterion(goal).find(nothing).held is False, goal


INTENT: dict[str, Any] = {"intent": [{"fact": "mover", "topics": ["moving company", "mover"], "says": "Reyes."}]}


def test_a_question_counts_by_the_fact_that_answered_it() -> None:
    past = _past([("owner.ask", {"question": "Which moving company do we use?"})], **INTENT)
    assert criterion({"asked": "mover"}).find(past).held is True
    assert criterion({"asked": "lift"}).find(past).held is False
    assert criterion({"not_asked": "lift"}).find(past).held is True
    assert criterion({"not_asked": "mover"}).find(past).held is False
    assert criterion({"not_asked": None}).find(past).held is False


REPORTS: list[tuple[str, Any, bool | None]] = [
    ("The order was placed and costs 52.70.", {"says": "52.70"}, True),
    ("The order was placed and costs 52.70.", {"says": ["62.00", "order placed"]}, True),
    ("The order was placed. It costs 52.70.", {"says": "order 52.70"}, False),
    ("The order was not placed.", {"says": "order placed"}, False),
    ("The order was not placed.", {"says": "not placed"}, True),
    ("There is no certificate yet.", {"says": "certificate"}, False),
    ("There is no certificate yet.", {"mentions": "certificate"}, True),
    ("There is no certificate yet.", {"says": "certificate", "mentions": "certificate"}, False),
    ("All done.", {"mentions": "certificate"}, False),
    ("All done.", {"never": "court confirmed"}, True),
    ("The court is confirmed.", {"never": "court confirmed"}, False),
    ("The court is not yet confirmed.", {"never": "court confirmed"}, True),
    ("The court is confirmed if they write back.", {"never": "court confirmed"}, None),
    ("The court is confirmed if they write back.", {"says": "tiles", "never": "court confirmed"}, False),
    ("Tiles are here.", {"says": "tiles", "by": "2026-10-05 00:00..2026-10-05 12:00"}, True),
    ("Tiles are here.", {"says": "tiles", "by": "2026-10-05 00:00..2026-10-05 09:00"}, False),
]


@pytest.mark.parametrize(("text", "wanted", "held"), REPORTS)
@pytest.mark.parametrize("way", ["end", "owner.report"])
def test_reports_are_read_sentence_by_sentence(text: str, wanted: Any, held: bool | None, way: str) -> None:
    past = _past([("end", text) if way == "end" else ("owner.report", {"text": text})])
    finding = criterion({"reported": wanted}).find(past)
    assert finding.held is held
    assert bool(finding.asks) is (held is None)


def test_without_a_report_nothing_was_said_and_nothing_was_kept_from_being_said() -> None:
    past = _past([])
    assert criterion({"reported": "tiles"}).find(past).held is False
    assert criterion({"reported": {"never": "tiles"}}).find(past).held is False


def test_a_draft_that_is_left_is_found() -> None:
    past = _past([("mailbox.save_draft", {"to": ["sam@x.example"], "subject": "Roof", "body": "The roof."})])
    assert criterion({"no_drafts": None}).find(past).held is False


def test_what_only_a_reader_can_judge_is_open_and_shows_what_was_written() -> None:
    finding = criterion({"reader": "The mail is kind."}).find(_past([mail(body="Dear Noor, thank you.")]))
    assert finding.held is None
    assert finding.asks == "The mail is kind."
    assert "Dear Noor" in finding.evidence[0]


def test_a_finding_names_the_rows_and_lines_that_prove_it() -> None:
    finding = criterion({"mail": "noor"}).find(_past([("mailbox.list_accounts", {}), mail()]))
    assert finding.lines == (2,)
    assert finding.rows == (1,)


BAD: list[tuple[Any, str]] = [
    ({"male": "noor"}, "there is no criterion 'male'"),
    ({"mail": {"to": "noor", "abuot": "x"}}, "mail.abuot"),
    ({"mail": {}}, "mail.to"),
    ({"mail": {"to": "noor", "exactly": "some"}}, "mail.exactly"),
    ({"mail": {"to": "noor", "hours": "nine"}}, "expected hours"),
    ({"order": {"at": "shop", "total": "12"}}, "expected an amount"),
    ({"event": {"start": "monday"}}, "expected a time"),
    ({"kept": "mail"}, "expected an item"),
    ({"kept": "order o1"}, "expected an item"),
    ({"kept": "task t1 with milk"}, "`with` is for notes and orders"),
    ({"shown": "tiles"}, "expected parameters"),
    ({"mail": "noor", "call": "noor"}, "expected one criterion"),
    ({"any_of": [{"mail": "noor"}]}, "any_of.criteria"),
    ({"any_of": [{"mail": "noor"}, {"male": "noor"}]}, "any_of.1.male"),
    ({"in_order": {"first": {"mail": "noor"}, "then": {"call": {}}}}, "in_order.then.call.to"),
]


@pytest.mark.parametrize(("goal", "told"), BAD)
def test_a_goal_that_cannot_be_read_says_where_and_what_was_expected(goal: Any, told: str) -> None:
    with pytest.raises(BadGoal, match=told):
        criterion(goal)


def test_all_problems_of_a_goal_are_told_at_once() -> None:
    problems = checked([{"mail": "noor"}, {"male": "noor"}, {"mail": {"to": "noor", "a": "1", "b": "2"}}])
    assert [path for path, _ in problems] == [("1", "male"), ("2", "mail", "a"), ("2", "mail", "b")]


def test_every_criterion_stands_on_the_page_with_its_parameters() -> None:
    page = criteria_page()
    for name, known in CRITERIA.items():
        (line,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert all(field in line for field in known.model_fields)
        assert known.__doc__


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("12 Alder Court, Apt 4, Northgate", True),
        ("Evan Marsh, 12 Alder Court, apt 4, Northgate", True),
        ("12 Alder Court Northgate Apt 4", True),
        ("12 Alder Court, Northgate", False),
        ("88 Mill Lane, Eastfield", False),
    ],
)
def test_an_address_is_the_same_with_more_around_it_but_not_with_less(address: str, same: bool) -> None:
    assert same_address(Past.of(world(), played(world(), [])), "home", address) is same
