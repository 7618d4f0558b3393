"""Whether a consent covers an act."""

from __future__ import annotations

from servers.guard.policy import Act, Covers, Group, objections
from worlds.town.consent import Circle, Standing
from worlds.town.written import Consent
from worlds.values import Money

CARLA = "carla@post.example"
CIRCLE = Circle(
    frozenset({"me@post.example"}), {"carla": frozenset({CARLA, "15550142"})}, {"family": frozenset({"noor", "mum"})}
)


def standing(**consent: object) -> Standing:
    return Standing(CIRCLE).granted(Consent.model_validate(consent))


def texts(act: Act, allowed: Standing, spent: Money | None = None) -> list[str]:
    return [objection.text for objection in objections(act, allowed, spent)]


def usd(amount: int) -> Money:
    return Money.parse(f"{amount} USD")


def test_an_act_that_reaches_nobody_and_costs_nothing_needs_no_consent() -> None:
    assert objections(Act("read"), Standing(), None) == ()


def test_a_recipient_is_allowed_by_name_number_or_address_and_the_owner_always() -> None:
    act = Act("write", recipients=(f"Carla <{CARLA}>", "+1 555 0142", "me@post.example"))
    assert texts(act, standing(recipients=["carla"])) == []


def test_each_stranger_is_named_once() -> None:
    act = Act("write", recipients=(CARLA, "who@x.example", "who@x.example"))
    assert texts(act, standing(recipients=["carla"])) == ["who@x.example is not among those who may be contacted"]


def test_the_last_word_about_a_recipient_decides() -> None:
    allowed = standing(recipients=["carla"]).withdrawn(Consent(recipients=("carla",)))
    assert texts(Act("write", recipients=(CARLA,)), allowed)


def test_a_known_thread_is_judged_as_such_and_who_joined_it_apart() -> None:
    allowed = standing(recipients=["family"])
    assert texts(Act("write", groups=(Group("family", ("Noor", "Mum")),)), allowed) == []
    joined = Act("write", groups=(Group("family", ("Noor", "Mum", "Amos")),))
    assert texts(joined, allowed) == ["Amos is not among those who may be contacted"]


def test_a_known_thread_that_is_not_allowed_is_named_itself() -> None:
    found = texts(Act("write", groups=(Group("family", ("Noor", "Mum")),)), standing())
    assert found[0] == "thread family is not among those who may be contacted"


def test_in_an_unknown_thread_every_member_counts() -> None:
    act = Act("write", groups=(Group("th101", (CARLA, "Amos")),))
    assert texts(act, standing(recipients=["carla"])) == ["Amos is not among those who may be contacted"]
    assert texts(act, standing(recipients=["carla", "amos"])) == []


def test_a_commitment_is_covered_if_one_of_its_names_is_approved() -> None:
    act = Act("agree", commitments=(("agreement with piers", "agreement with Piers Hollis"),))
    assert texts(act, standing(commitments=["agreement with piers hollis"])) == []
    assert texts(act, standing()) == ["agreement with piers is not approved"]


def test_spending_adds_up_to_the_limit_and_no_further() -> None:
    allowed = standing(spend="70 USD")
    assert texts(Act("buy", spends=usd(40)), allowed, usd(30)) == []
    assert texts(Act("buy", spends=usd(41)), allowed, usd(30)) == [
        "41.00 USD makes 71.00 USD in all; allowed is 70.00 USD"
    ]


def test_without_a_limit_nothing_may_be_spent_but_nothing_is_free() -> None:
    assert texts(Act("buy", spends=usd(1)), standing())
    assert texts(Act("book", spends=usd(0)), standing()) == []


def test_an_amount_in_another_currency_is_never_covered() -> None:
    euros = Money.parse("1 EUR")
    assert texts(Act("buy", spends=euros), standing(spend="70 USD"))
    assert texts(Act("buy", spends=euros), standing(spend="70 USD"), usd(1))


def test_a_loss_is_covered_by_a_pattern() -> None:
    act = Act("delete", losses=(("mail m3",),))
    assert texts(act, standing(losses=["mail m*"])) == []
    assert [one.covers for one in objections(act, standing(), None)] == [Covers.LOSS]


def test_what_is_unknown_is_an_objection_that_no_consent_heals() -> None:
    found = objections(Act("buy", unknown=("what it costs is not known",)), standing(recipients=["any"]), None)
    assert [(one.text, one.known) for one in found] == [("what it costs is not known", False)]
