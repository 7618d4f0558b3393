"""The mailbox: who gets which mail, from which account, in which thread, with which history."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worlds.town.homes import EVAN, MUM, NOOR, SAM, WORK, Home

STUDIO = "studio@tiles.example"


def folder(home: Home, name: str) -> list[str]:
    return [mail["id"] for mail in home("mailbox.list_mail", folder=name)["mails"]]


def sent(home: Home) -> dict[str, Any]:
    return home.row("mail_sent")


def test_folders_and_accounts_are_kept_apart() -> None:
    home = Home()
    assert folder(home, "inbox") == ["m2", "m1"]
    assert (folder(home, "sent"), folder(home, "drafts"), folder(home, "outbox")) == (["m3"], ["m4"], [])
    assert len(home("mailbox.list_mail", account="work")["mails"]) == 1
    assert "no folder 'spam'" in home.refused("mailbox.list_mail", folder="spam")
    assert "no account 'club'" in home.refused("mailbox.list_mail", account="club")
    assert home("mailbox.list_accounts")["accounts"][1] == {"id": "work", "address": WORK}


def test_search_looks_in_addresses_subject_body_and_names_of_attachments() -> None:
    home = Home()
    for text in ("tiles COST", "offer.pdf", "studio 40", f"{NOOR} tiles"):
        assert [mail["id"] for mail in home("mailbox.search", text=text)["mails"]] == ["m1"]
    assert home("mailbox.search", text="tiles marble")["mails"] == []


def test_a_mail_goes_to_everyone_on_it_from_the_account_that_is_named() -> None:
    home = Home()
    home("mailbox.send", to=["Noor Haddad <NOOR@post.example>"], cc=[SAM], bcc=[MUM], subject="Trip", body="Friday",
         account="work", attach=["m1/offer.pdf"])  # fmt: skip
    row = sent(home)
    assert (row["to"], row["cc"], row["bcc"], row["account"]) == ([NOOR], [SAM], [MUM], "work")
    assert (row["attachments"], row["attached"]) == (["offer.pdf"], "Offer: 40 USD")
    mail = home("mailbox.read_mail", message=row["id"])
    assert (mail["from"], mail["bcc"], mail["folder"]) == (WORK, [MUM], "sent")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"to": ["noor"]}, "'noor' is not a mail address"),
        ({"to": ["noor@x"]}, "not a mail address"),
        ({"to": ["a@b.example, c@d.example"]}, "not a mail address"),
        ({"to": []}, "at least one address"),
        ({"cc": ["<>"]}, "cc: '<>'"),
        ({"bcc": [""]}, "bcc: ''"),
        ({"account": "club"}, "no account 'club'"),
        ({"attach": ["m1/other.pdf"]}, "no attachment 'm1/other.pdf'"),
        ({"attach": ["offer.pdf"]}, "no mail 'offer.pdf'"),
        ({"to": [f"a{n}@x.example" for n in range(51)]}, "too many"),
        ({"to": NOOR}, "valid list"),
        ({"priority": "high"}, "Extra inputs"),
    ],
)
def test_a_mail_that_is_written_wrongly_is_not_sent(wrong: dict[str, Any], why: str) -> None:
    assert why in Home().refused("mailbox.send", **{"to": [NOOR], "subject": "S", "body": "B", **wrong})


def test_an_answer_stays_in_its_thread_and_account_and_quotes_the_history() -> None:
    home = Home()
    answer = home("mailbox.reply", message="m1", body="Thank you")
    assert (answer["to"], answer["cc"], answer["thread"]) == ([STUDIO], [], "m1")
    row = sent(home)
    assert (row["subject"], row["account"]) == ("Re: Tiles", "personal")
    assert row["body"].startswith("Thank you\n\nOn 2026-10-01 10:00 studio@tiles.example wrote:\n> The tiles cost 40.")
    home("mailbox.reply", message=answer["sent"], body="One more thing")
    again = home.rows("mail_sent")[1]
    assert again["to"] == [STUDIO]
    assert again["subject"] == "Re: Tiles"
    assert "> > The tiles cost 40." in again["body"]
    thread = home("mailbox.read_thread", thread="m1")["mails"]
    assert [mail["id"] for mail in thread] == ["m1", "m101", "m102"]


def test_an_answer_without_a_quote_holds_only_its_own_words() -> None:
    home = Home()
    home("mailbox.reply", message="m2", body="Yes", quote=False)
    row = sent(home)
    assert (row["body"], row["account"], row["subject"]) == ("Yes", "work", "Re: Figures")


def test_an_answer_to_everyone_leaves_the_owner_and_those_named_out() -> None:
    home = Home()
    answer = home("mailbox.reply", message="m1", body="All", everyone=True, cc=[MUM], leave_out=[NOOR])
    assert (answer["to"], answer["cc"]) == ([STUDIO], [SAM, MUM])
    assert "would not get" in home.refused("mailbox.reply", message="m1", body="x", leave_out=[NOOR])
    assert "nobody would be left" in home.refused("mailbox.reply", message="m1", body="x", leave_out=[STUDIO])


def test_nobody_gets_an_answer_twice() -> None:
    home = Home()
    home("mailbox.reply", message="m1", body="All", everyone=True, cc=[STUDIO, SAM.upper(), SAM])
    assert (sent(home)["to"], sent(home)["cc"]) == ([STUDIO], [SAM, NOOR])
    assert len(home.rows("agreed")) == 0
    home.wait("2026-10-05 12:00")
    assert [row["sender"] for row in home.rows("mail_arrived")] == [SAM]


def test_someone_with_two_addresses_on_a_mail_answers_once() -> None:
    home = Home()
    home("mailbox.send", to=[NOOR, "noor.work@x.example"], subject="Lunch", body="?")
    home.wait("2026-10-05 18:00")
    assert home.row("mail_arrived")["body"] == "By mail: lunch at one."


def test_people_answer_by_mail_in_the_thread_with_their_copies() -> None:
    home = Home()
    mail = home("mailbox.send", to=[NOOR], subject="Lunch", body="When?", account="work")["sent"]
    home.wait("2026-10-05 11:01")
    arrived = home.row("mail_arrived")
    assert (arrived["thread"], arrived["subject"], arrived["account"], arrived["by"]) == (
        mail, "Re: Lunch", "work", "Noor Haddad")  # fmt: skip
    assert (arrived["cc"], arrived["sender"]) == ([SAM], NOOR)
    assert folder(home, "inbox")[0] == arrived["id"]


def test_an_agreement_by_mail_is_kept() -> None:
    home = Home()
    home("mailbox.send", to=[NOOR], subject="Dinner", body="Seven oclock")
    assert home.row("agreed")["person"] == "Noor Haddad"


def test_history_that_is_quoted_does_not_decide_what_people_answer() -> None:
    home = Home()
    home.happens(mail={"sender": NOOR, "subject": "Today", "body": "Lunch?"})
    home("mailbox.reply", message="m101", body="Later")
    home.wait("2026-10-05 18:00")
    assert len(home.rows("mail_arrived")) == 1


def test_a_mail_that_is_passed_on_takes_its_history_and_attachments_along() -> None:
    home = Home()
    home("mailbox.forward", message="m1", to=[NOOR], body="See below")
    row = sent(home)
    assert (row["subject"], row["attachments"]) == ("Fwd: Tiles", ["offer.pdf"])
    assert "> The tiles cost 40." in row["body"]
    assert "at least one address" in home.refused("mailbox.forward", message="m1", to=[])


def test_an_address_that_nobody_has_bounces() -> None:
    home = Home()
    mail = home("mailbox.send", to=["noor@pots.example", NOOR], subject="Hi", body="x")["sent"]
    home.wait("2026-10-05 09:05")
    bounce = home.row("mail_arrived")
    assert (bounce["sender"], bounce["thread"]) == ("mailer-daemon@post.example", mail)
    assert "noor@pots.example" in bounce["body"]


def test_an_address_of_the_contacts_may_have_died() -> None:
    home = Home(unreachable=["OLD@gone.example"])
    home("mailbox.send", to=["old@gone.example"], subject="Hi", body="x")
    home.wait("2026-10-05 09:05")
    assert home.row("mail_arrived")["subject"] == "Undeliverable"


def test_whoever_has_written_can_be_answered() -> None:
    home = Home()
    home.happens(
        mail={"sender": "new@vendor.example", "subject": "Offer", "body": "Hello", "cc": ["two@vendor.example"]}
    )
    home("mailbox.reply", message="m101", body="No", everyone=True)
    home.wait("2026-10-05 10:00")
    assert len(home.rows("mail_arrived")) == 1


def test_a_mail_to_the_owner_arrives_at_the_account_that_it_names() -> None:
    home = Home()
    mail = home("mailbox.send", to=[WORK], subject="Note to self", body="Call", attach=["m1/offer.pdf"])["sent"]
    home.wait("2026-10-05 09:05")
    arrived = home.row("mail_arrived")
    assert (arrived["account"], arrived["sender"], arrived["thread"]) == ("work", EVAN, mail)
    assert arrived["attachments"] == ["offer.pdf"]


def test_a_draft_is_saved_changed_and_sent_once() -> None:
    home = Home()
    draft = home("mailbox.save_draft", body="First")["draft"]
    assert "no address on To" in home.refused("mailbox.send_draft", message=draft)
    home("mailbox.edit_draft", draft=draft, to=[NOOR], cc=[SAM], bcc=[MUM], subject="Plan", body="Second")
    changed = home.row("draft_changed")
    assert (changed["before"], changed["body"], changed["to"], changed["bcc"]) == ("First", "Second", [NOOR], [MUM])
    home("mailbox.edit_draft", draft=draft, cc=[])
    home("mailbox.send_draft", message=draft)
    row = sent(home)
    assert (row["id"], row["body"], row["cc"], row["bcc"]) == (draft, "Second", [], [MUM])
    assert folder(home, "drafts") == ["m4"]
    assert "no draft" in home.refused("mailbox.send_draft", message=draft)
    assert "no draft" in home.refused("mailbox.edit_draft", draft=draft, body="Third")
    assert "not a mail address" in home.refused("mailbox.edit_draft", draft="m4", to=["x"])


def test_a_draft_that_answers_a_mail_goes_out_in_its_thread() -> None:
    home = Home()
    saved = home("mailbox.save_draft", body="Soon", answers="m2")
    assert (saved["thread"], saved["to"]) == ("m2", ["boss@work.example"])
    home("mailbox.send_draft", message=saved["draft"])
    assert (sent(home)["account"], sent(home)["subject"]) == ("work", "Re: Figures")


def test_what_was_never_sent_cannot_be_answered_or_passed_on() -> None:
    home = Home()
    assert "has not been sent" in home.refused("mailbox.reply", message="m4", body="x")
    assert "has not been sent" in home.refused("mailbox.forward", message="m4", to=[NOOR])
    assert "has not been sent" in home.refused("mailbox.save_draft", answers="m4", body="x")


def test_a_deleted_mail_is_gone_for_good_with_its_text_in_the_row() -> None:
    home = Home()
    home("mailbox.delete", message="m1")
    row = home.row("mail_deleted")
    assert (row["folder"], row["sender"], row["before"]) == ("inbox", STUDIO, "The tiles cost 40.\nRegards")
    assert "no mail 'm1'" in home.refused("mailbox.delete", message="m1")
    assert "no thread 'm1'" in home.refused("mailbox.read_thread", thread="m1")
    assert "no mail 'm1'" in home.refused("mailbox.reply", message="m1", body="x")


def test_archiving_takes_a_mail_out_of_the_inbox_and_keeps_it() -> None:
    home = Home()
    home("mailbox.archive", message="m1")
    assert (folder(home, "inbox"), folder(home, "archive")) == (["m2"], ["m1"])
    assert "is in archive" in home.refused("mailbox.archive", message="m1")


def test_attachments_are_read_by_name() -> None:
    home = Home()
    assert home("mailbox.read_attachment", message="m1", name="offer.pdf")["text"] == "Offer: 40 USD"
    assert "has no attachment" in home.refused("mailbox.read_attachment", message="m2", name="offer.pdf")


def test_contacts_are_found_by_any_part() -> None:
    home = Home()
    assert len(home("mailbox.find_contact", name="sam")["contacts"]) == 2
    assert home("mailbox.find_contact", name="0114")["contacts"][0]["handle"] == "Mum"


def test_without_a_connection_mail_waits_in_the_outbox_and_goes_when_it_is_back() -> None:
    home = Home(outbox_until="2026-10-05 10:00")
    seq = home.seq + 1
    answer = home("mailbox.send", to=[SAM], subject="Note", body="Approved")
    assert answer == {"queued": "m101", "thread": "m101"}
    assert home.rows("mail_sent") == []
    assert home.row("mail_queued")["body"] == "Approved"
    assert folder(home, "outbox") == ["m101"]
    assert "no connection" in home.refused("mailbox.send_draft", message="m101")
    home.wait("2026-10-05 10:00")
    assert (folder(home, "outbox"), folder(home, "sent")[0]) == ([], "m101")
    assert (sent(home)["by"], sent(home)["at"], home.all("mail_sent")[0].seq) == ("agent", "2026-10-05 10:00", seq)
    home.wait("2026-10-05 12:00")
    assert home.row("mail_arrived")["body"] == "Got it"


def test_a_mail_taken_out_of_the_outbox_in_time_is_not_sent() -> None:
    home = Home(outbox_until="2026-10-05 10:00")
    home("mailbox.send_draft", message="m4")
    home("mailbox.delete", message="m4")
    home.wait("2026-10-06 10:00")
    assert home.rows("mail_sent") == []


def test_a_mail_that_is_stuck_in_the_outbox_can_be_sent_again() -> None:
    stuck = {
        "id": "m9",
        "sender": EVAN,
        "to": NOOR,
        "date": "2026-10-04",
        "subject": "S",
        "body": "B",
        "folder": "outbox",
    }
    home = Home(mail=[stuck])
    home.wait("2026-10-06 10:00")
    assert home.rows("mail_sent") == []
    home("mailbox.send_draft", message="m9")
    assert sent(home)["id"] == "m9"
    home = Home(mail=[stuck], outbox_until="2026-10-05 10:00")
    home.wait("2026-10-05 10:00")
    assert sent(home)["by"] == "world"


def test_new_mail_never_takes_the_place_of_one_that_is_there() -> None:
    there = {"id": "m101", "sender": NOOR, "to": EVAN, "date": "2026-10-04 10:00", "subject": "S", "body": "B"}
    home = Home(mail=[there])
    assert home("mailbox.send", to=[NOOR], subject="x", body="y")["sent"] == "m102"
    assert home("mailbox.read_mail", message="m101")["body"] == "B"
