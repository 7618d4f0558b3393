"""The owner is asked, told and waited for, and speaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.worlds.town.homes import Home, world
from worlds.town.owner import BUSY, CANNOT_SAY, CANNOT_SAY_THE_REST
from worlds.town.town import TURN, Action, Town
from worlds.town.written import Consent, IntentFact

MOVER = {
    "fact": "mover",
    "topics": ["which mover", "moving company", "may I write to the movers"],
    "says": "Reyes Movers. Yes, write to them.",
    "grants": {"recipients": ["office@reyes.example"]},
}
LIFT = {"fact": "lift", "topics": ["elevator", "time of the move"], "says": "On the 17th, from nine."}
PARTNER = {
    "fact": "partner",
    "topics": ["may I write to Noor", "tell Noor"],
    "says": "You know that you may.",
    "grants": {"recipients": ["noor@post.example"]},
}
WHICH = "Which moving company are you using?"
WHEN = "When is the move?"


class Asked(Home):
    """A home whose owner has something to say."""

    def __init__(self, later: list[dict[str, Any]] | None = None, rounds: int = 3) -> None:
        made = world(later or [], "2026-10-05 09:00", {})
        intent = tuple(IntentFact.model_validate(fact) for fact in (MOVER, LIFT, PARTNER))
        file = made.file.model_copy(
            update={"intent": intent, "rounds": rounds, "consent": Consent(recipients=("Noor",))}
        )
        self.town = Town(replace(made, file=file))
        self.seq = 0

    def ask(self, question: str) -> str:
        return str(self("owner.ask", question=question)["answer"])

    def end(self, message: str) -> str | None:
        """What the owner says when the turn ends like this."""
        self.seq += 1
        reply = self.town.act(Action(seq=self.seq, server="owner", tool=TURN, arguments={"message": message}))
        assert reply.content is not None
        said = reply.content["message"]
        assert said is None or isinstance(said, str)
        return said


def later(**effect: Any) -> list[dict[str, Any]]:
    return [effect]


def test_a_question_gets_its_fact_and_leaves_a_row() -> None:
    home = Asked()
    assert home.ask(WHEN) == LIFT["says"]
    row = home.row("asked")
    assert (row["question"], row["fact"], row["answer"], row["round"]) == (WHEN, "lift", LIFT["says"], 1)
    assert (row["way"], row["again"], row["already"], row["busy"]) == ("tool", False, False, False)
    assert row["by"] == "agent"


def test_what_the_intent_does_not_answer_is_not_answered() -> None:
    home = Asked()
    assert home.ask("What is the landlord's phone number?") == CANNOT_SAY
    assert home.row("asked")["fact"] == ""
    assert not home.rows("granted")


def test_each_question_of_a_text_is_answered_in_one_round() -> None:
    home = Asked()
    answer = home.ask(f"{WHICH} {WHEN} What is the landlord's phone number?")
    assert answer == f"{MOVER['says']} {LIFT['says']} {CANNOT_SAY_THE_REST}"
    assert [(row["fact"], row["round"]) for row in home.rows("asked")] == [("mover", 1), ("lift", 1), ("", 1)]


def test_an_answer_that_grants_enters_the_ledger_once() -> None:
    home = Asked()
    home.ask(WHICH)
    home.ask(WHICH)
    granted = home.row("granted")
    assert granted["consent"] == {"recipients": ["office@reyes.example"]}
    assert (granted["fact"], granted["by"]) == ("mover", "Evan Marsh")
    assert home.town.owner.ledger.at().may_contact("office@reyes.example")


def test_a_question_that_was_answered_is_answered_the_same_and_counted() -> None:
    home = Asked()
    assert home.ask(WHEN) == home.ask("From what time is the move, please?") == LIFT["says"]
    assert [row["again"] for row in home.rows("asked")] == [False, True]


def test_a_question_about_what_the_request_grants_says_so_in_its_row() -> None:
    home = Asked()
    home.ask("May I write to Noor?")
    row = home.row("asked")
    assert (row["fact"], row["already"], row["permission"]) == ("partner", True, True)


def test_after_the_rounds_the_owner_is_busy() -> None:
    home = Asked(rounds=1)
    home.ask(WHEN)
    assert home.ask(WHICH) == BUSY
    assert home.rows("asked")[1]["busy"]
    assert not home.rows("granted")
    assert home.end(f"One more thing: {WHICH}") is None


def test_rounds_are_the_same_for_both_ways_of_asking() -> None:
    home = Asked(rounds=2)
    home.ask(WHEN)
    assert home.end(WHICH) == MOVER["says"]
    assert [(row["way"], row["round"]) for row in home.rows("asked")] == [("tool", 1), ("turn", 2)]
    assert home.end(WHEN) == BUSY
    assert home.end(WHEN) is None


def test_a_turn_that_ends_without_a_question_ends_the_episode() -> None:
    home = Asked()
    assert home.end("Carla has the date. Is there anything else I can help you with?") is None
    assert home.row("reported")["way"] == "turn"
    assert not home.rows("asked")


def test_a_report_is_read_and_not_answered() -> None:
    home = Asked()
    assert home("owner.report", text=f"I wrote to Carla. {WHICH}") == {"read": True}
    assert home.row("reported")["way"] == "tool"
    assert not home.rows("asked")


def test_a_second_wish_is_the_next_message_when_a_turn_has_ended() -> None:
    wish = {"says": "Also cancel choir.", "grants": {"losses": ["event e1"]}}
    home = Asked(later(when={"turn_ends": 1}, after="2h", turn=wish))
    assert home.end("Done.") == "Also cancel choir."
    assert home.row("owner_spoke")["at"] == "2026-10-05 11:01"
    assert home.row("granted")["consent"] == {"losses": ["event e1"]}
    assert home.end("Done.") is None


def test_a_question_at_a_turns_end_does_not_count_as_its_end() -> None:
    home = Asked(later(when={"turn_ends": 1}, turn={"says": "One more wish."}))
    assert home.end(WHEN) == LIFT["says"]
    assert home.end("Done.") == "One more wish."


def test_word_that_is_due_is_waited_for_when_a_turn_has_ended() -> None:
    home = Asked(later(at="2026-10-07 10:00", turn={"says": "The reply has come."}))
    assert home.end("I will look again later.") == "The reply has come."


def test_a_turns_end_does_not_wait_for_what_is_no_word_of_the_owner() -> None:
    mail = {"sender": "noor@post.example", "subject": "Hi", "body": "Hi"}
    home = Asked(later(at="2026-10-07 10:00", mail=mail))
    assert home.end("Done.") is None
    assert not home.rows("mail_arrived")


def test_the_owners_word_is_shown_with_the_next_answer_and_changes_the_ledger() -> None:
    home = Asked(later(at="2026-10-05 09:02", turn={"says": "Stop.", "withdraws": {"everything": True}}))
    assert "owner_says" not in home("mailbox.list_accounts")
    assert home("mailbox.list_accounts")["owner_says"] == ["Stop."]
    assert home.row("withdrawn")["consent"] == {"everything": True}
    assert not home.town.owner.ledger.at().may_contact("noor@post.example")


def test_what_a_question_starts_happens() -> None:
    home = Asked(later(when={"asked": "lift"}, after="1h", message={"thread": "family", "sender": "Noor", "text": "!"}))
    home.ask(WHEN)
    assert home("owner.wait") == {"now": "2026-10-05 10:01", "new": ["message in Family from Noor"]}


def test_waiting_goes_on_to_what_happens_next_and_tells_it_once() -> None:
    mail = {"sender": "noor@post.example", "subject": "Hi", "body": "Hi", "account": "work"}
    home = Asked([{"at": "2026-10-05 12:00", "mail": mail}, {"at": "2026-10-06 08:00", "turn": {"says": "Hello."}}])
    assert home("owner.wait") == {"now": "2026-10-05 12:00", "new": ["mail from noor@post.example (work): Hi"]}
    assert home("owner.wait") == {"now": "2026-10-06 08:00", "new": ["the owner says: Hello."]}
    assert home("owner.wait") == {"now": "2026-10-07 08:01", "new": []}


@pytest.mark.parametrize(
    ("asked", "now"), [({"hours": 3}, "2026-10-05 12:01"), ({"until": "2026-10-06 07:30"}, "2026-10-06 07:30")]
)
def test_waiting_can_have_an_end(asked: dict[str, Any], now: str) -> None:
    assert Asked()("owner.wait", **asked)["now"] == now


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"until": "2026-10-05 08:00"}, "is past"),
        ({"until": "soon"}, "is no time"),
        ({"until": "2030-01-01"}, "too long"),
        ({"hours": 10**9}, "too long"),
        ({"until": "2026-10-06", "hours": 1}, "give one of them"),
    ],
)
def test_a_wait_without_sense_is_refused(asked: dict[str, Any], why: str) -> None:
    assert why in Asked().refused("owner.wait", **asked)
