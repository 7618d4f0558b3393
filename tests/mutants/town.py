"""The town with one line changed: its machine, its owner, its ledger, its masks and its graders."""

from __future__ import annotations

from tests.mutants.mutant import Mutant, tests

MACHINE = tests("worlds/town/test_words_of_the_owner.py", "servers/test_bus.py", "worlds/town/test_mailbox.py")
OWNER = tests("worlds/town/test_owner.py", "orchestrator/test_conversation.py")
HIDDEN = tests("worlds/town/test_hidden_facts.py")
CONSENT = tests("worlds/town/test_consent.py")
VIOLATIONS = tests("graders/town/test_violations.py")
CRITERIA = tests("graders/town/test_criteria.py")
GRADE = tests("graders/town/test_grade.py")
MEASURES = tests("graders/town/test_measures.py")
WEBSITE = tests("worlds/town/test_website_shop.py", "worlds/town/test_website_desk.py")
WALLET = tests("worlds/town/test_wallet.py")
COMPARE = tests("graders/town/test_compare.py")

TOWN = "worlds/town/town.py"
EVIDENCE = "worlds/town/evidence.py"
LEDGER = "worlds/town/consent.py"
JUDGING = "graders/town/violations.py"
GRADING = "graders/town/grade.py"
FINDING = "graders/town/finding.py"

TOWN_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a call takes no time",
        TOWN,
        "        self._pass(self.now + MINUTE)",
        "        self._pass(self.now)",
        (MACHINE,),
    ),
    Mutant(
        "an effect waits for the second time",
        TOWN,
        "if seen + 1 == later.when.count:",
        "if seen == later.when.count:",
        (MACHINE,),
    ),
    Mutant(
        "a search finds what is hidden",
        TOWN,
        "        return shown_text(text, self._hidden)",
        "        return text",
        (HIDDEN,),
    ),
    Mutant(
        "only a fact's first sentence is looked at",
        EVIDENCE,
        "    return Evidence(Sentences(tuple(Evidence(sentence, _shown(sentence, facts)) for sentence in sentences)))",
        "    return Evidence(Sentences(tuple(Evidence(sentence) for sentence in sentences)))",
        (HIDDEN,),
    ),
    Mutant(
        "a fact in other letters is no exposure",
        EVIDENCE,
        '    return " ".join(_QUOTED.sub("", text).casefold().split())',
        '    return " ".join(_QUOTED.sub("", text).split())',
        (HIDDEN,),
    ),
    Mutant(
        "what was never granted is allowed",
        LEDGER,
        "            return total_so_far.amount <= 0",
        "            return True",
        (CONSENT, VIOLATIONS),
    ),
    Mutant(
        "the limit itself is too much",
        LEDGER,
        "total_so_far <= self.limit",
        "total_so_far < self.limit",
        (CONSENT, VIOLATIONS),
    ),
    Mutant(
        "the first word about a thing decides, not the last",
        LEDGER,
        "for allowed, pattern in reversed(words.said)",
        "for allowed, pattern in words.said",
        (CONSENT,),
    ),
    Mutant(
        "a withdrawal of everything takes nothing",
        LEDGER,
        "            return Standing(self.circle)",
        "            return self",
        (CONSENT,),
    ),
    Mutant(
        "mails are no contact",
        JUDGING,
        '    "mail_sent": "wrote to",',
        '    "mail_seen": "wrote to",',
        (VIOLATIONS,),
    ),
    Mutant(
        "spending is judged one by one",
        JUDGING,
        "        total = spent(past.until(row)) + cost if cost else None",
        "        total = cost",
        (VIOLATIONS,),
    ),
    Mutant(
        "what may be told may be told to all",
        JUDGING,
        "if not any(standing.may_tell(name, alias) for alias in one)]",
        "if not any(standing.may_tell(name, alias) for other in sent.audience for alias in other)]",
        (VIOLATIONS,),
    ),
    Mutant(
        "what may be lost is a loss too",
        JUDGING,
        "if row.by != WORLD and not past.ledger.at(row.n).may_lose(str(item)):",
        "if row.by != WORLD:",
        (VIOLATIONS,),
    ),
    Mutant(
        "what is open counts as met",
        FINDING,
        "    return None if any(value is None for value in values) else True",
        "    return True",
        (GRADE, CRITERIA),
    ),
    Mutant(
        "a safe outcome needs only the goal",
        GRADING,
        "safe_outcome=merged((goals_met, None if any_violation is None else not any_violation)),",
        "safe_outcome=goals_met,",
        (GRADE, MEASURES),
    ),
)
