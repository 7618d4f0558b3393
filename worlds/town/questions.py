"""Questions in what an agent writes: which sentences ask, what stands before them, which ask out of courtesy alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WH = r"(?:what|which|when|where|who|whom|whose|why|how)"
_AUXILIARY = (
    r"(?:do|does|did|is|are|am|was|were|can|could|shall|should|will|would|may|might|must|have|has|had|"
    r"isn't|aren't|don't|doesn't|won't|wouldn't|shouldn't|can't)"
)
_PREPOSITION = r"(?:for|on|at|by|with|to|from|in|of|as of|until|under|about|before|after|within|since)"
_STARTS = (
    rf"(?:(?:and |or |but |so |also |then |if so,? |please,? ){{0,6}}"
    rf"(?:{_PREPOSITION} )?(?:{_WH}(?:'s)?\b|{_AUXILIARY}\b(?! not\b)))"
)
_ASKS_FOR = (
    r"(?:let me know|tell me|remind me|give me|send me|confirm|clarify|specify|advise|share|provide|say|state|"
    r"i(?:'d| would)(?: also)? (?:need|like|love) to (?:know|confirm|check)|"
    r"i(?: also)? need (?:to know|you to (?:tell|confirm))|"
    r"i was wondering|i wonder|i am not sure|i'm not sure)"
)
_REQUEST = re.compile(rf"(?:^|[,;:\u2014\u2013-]\s*|\b(?:please|and|so|then|just)\s+){_ASKS_FOR}\b", re.IGNORECASE)
_OFFER = re.compile(
    r"\b(?:let me know|tell me|just say)\b[^?]{0,12}?\b(?:if|when|whenever|should)\b[^?]{0,30}?"
    r"\b(?:need|want|like|have (?:any|further|other|more|questions)|else|questions|anything|help|there(?:'s| is))\b",
    re.IGNORECASE,
)
"""`Let me know if you need anything else`: it asks for nothing."""
_POLITE = re.compile(
    rf"^(?:and |so |also |then |but |ok(?:ay)?,? |great,? |thanks,? |hi,? |hello,? |finally,? |first,? ){{0,6}}"
    rf"(?:(?:could|can|would|will|may|might) (?:you|i) (?:please |kindly |also |just |quickly )*"
    rf"(?:tell me|let me know|confirm|remind me|clarify|specify|advise|say|share(?: with me)?|ask(?: you)?|"
    rf"check(?: with you)?|give me|verify|describe|find out|know)|"
    rf"(?:do you (?:happen to )?(?:know|remember|recall)|do you have (?:a |any )?(?:strong )?preferences? "
    rf"(?:between|for|about|regarding|as to|on|when it comes to))|(?:please )?{_ASKS_FOR})[\s,:]*"
    rf"(?:please[\s,]*)?(?:(?:for me|with me|to me)[\s,]*)?(?:whether or not |whether |if |that )?",
    re.IGNORECASE,
)
"""What is said before what is asked: `Could you please tell me whether `."""
_COURTESY = re.compile(
    r"""^(?:and |or |so |but |also |then ){0,6}(?:
    (?:is|was)\ there\ anything\b(?!.*\b(?:avoid|leave\ out|allerg)).*|
    anything\ (?:else|more)\b.*|
    (?:can|may|could|should|shall)\ i\ (?:help|assist|do)\b.*\b(?:else|more|further|help|you)|
    (?:do|would)\ you\ (?:like|need|want|have)\ (?:me\ to\ (?:help|assist|do)\ )?(?:you\ )?(?:with\ )?
        any(?:thing|\ (?:more|other|further|questions)).*|
    (?:would|do|does|is|are|will|did)\ (?:this|that|it|these|everything|all\ (?:of\ )?(?:this|that))(?:\ all)?\s
        (?:work|works|suit|sound|look|seem|make\ sense|ok|okay|all\ right|alright|fine|good|correct|right|help|
        acceptable|clear)
        (?:\ (?:for|to|with|by)\ you|\ good|\ right|\ okay|\ ok|\ fine|\ correct|\ all\ right)*|
    how\ (?:does|do)\ (?:this|that|it|these)\ (?:sound|look)(?:\ to\ you)?|
    (?:shall|should|may|can|could)\ i\ (?:now\ )?(?:go\ on|go\ ahead|continue|proceed|carry\ on|start)
        (?:\ (?:with\ (?:this|that|it)|now|then|like\ this|as\ planned))*|
    (?:would\ you\ like|do\ you\ want|are\ you\ happy)\ (?:for\ )?me\ to\s
        (?:go\ on|go\ ahead|continue|proceed|carry\ on)(?:\ (?:with\ (?:this|that|it)|now|then))*|
    (?:sounds|looks|all)\ (?:good|right|okay|ok|fine)|right|ok|okay|correct|yes|agreed|ready|
    what\ do\ you\ think(?:\ (?:of|about)\ (?:it|this|that))?|
    (?:may|can|could)\ i\ ask(?:\ you)?(?:\ (?:something|a\ (?:quick\ )?question|one\ thing))?|
    do\ you\ have\ (?:a\ (?:moment|minute|second)|time)(?:\ .*)?|
    how\ are\ you.*|how\ can\ i\ (?:help|assist).*
    )[\s?!.]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORT = re.compile(r"\b(dr|mr|mrs|ms|st|no|approx|e\.g|i\.e|a\.m|p\.m|vs|etc)\.", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
_MARKUP = re.compile(r"\*\*|__|`|^#+\s*", re.MULTILINE)
_BULLET = re.compile(r"^(?:[-*\u2022]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_QUOTED = re.compile(r"\u201c[^\u201d]*\u201d|\"[^\"\n]*\"")
_OPEN = re.compile(rf"^(?:and |or |but |so |also |then ){{0,6}}(?:{_PREPOSITION} )?{_WH}\b", re.IGNORECASE)
_STARTS_HERE = re.compile(rf"^{_STARTS}", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(rf"(?:,|;)?\s+(?:and|or)\s+(?:also\s+)?(?={_STARTS}\s)", re.IGNORECASE)
_BREAKS = re.compile(r"\s*(?:[,;:]\s+|\s+[\u2014\u2013-]{1,2}\s+|\u2014)\s*")
"""Where a sentence can be parted into what is told and what is asked."""
_UNTIL = (
    rf"(?=\s+(?:{_AUXILIARY}|{_PREPOSITION}|that|you|i|we|she|he|they|the|so|which|who|to|over|during|next|or|and)\b|"
    r"[?,.;]|$)"
)
"""Where the name of a thing ends."""
_SUBJECT = re.compile(r"^what(?:'s|\s+(?:is|are|was|will))\b.*\babout\W*(?:subject)?$", re.IGNORECASE)
_WHAT_FOR = re.compile(r"^what\b.*\bfor\W*$", re.IGNORECASE)
_PRICE = re.compile(r"\b(?:cost|costs|charge)\W*$", re.IGNORECASE)
_HEAD = re.compile(rf"^.*?\b{_WH}\b(?:'s)?(?:(?:(?!\b{_WH}\b).)*?\b{_AUXILIARY}\b)?(?:\s+\w+)?", re.IGNORECASE)
"""The question word, the auxiliary and one word more."""
_OWNED = r"(?:the|your|his|her|its|their|my|our|a|an|any|some|this|that)"
_FOCUSES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:{_PREPOSITION} )?(?:what|which|how many|how much)\s+(?!(?:{_AUXILIARY}|{_PREPOSITION})\b)"
        rf"(?P<focus>.+?){_UNTIL}",
        r"^(?P<focus>how (?:old|tall|wide|big|heavy|high|large|deep|young))\b",
        rf"^(?:what|which|who)(?:'s| is| are| was| were| will be)\s+(?:{_OWNED}\s+)?(?!\w+ing\b)(?P<focus>.+?){_UNTIL}",
        rf"^(?:is|are|was|were)\s+there\s+(?:{_OWNED}\s+)?(?P<focus>.+?){_UNTIL}",
        rf"^do(?:es)?\s+(?:you|they|he|she|we|i)\s+(?:have|need|want|hold|own|prefer)\s+(?:{_OWNED}\s+)?"
        rf"(?P<focus>.+?){_UNTIL}",
        rf"^(?:{_OWNED}\s+)(?P<focus>.+?){_UNTIL}",
        rf"^(?:{_AUXILIARY})\b.*?\b(?:any|a particular|a specific|a certain)\s+(?P<focus>.+?){_UNTIL}",
    )
)


@dataclass(frozen=True, slots=True)
class Posed:
    """One question: the sentence, the part of it that asks, and what was said before."""

    sentence: str
    core: str
    before: str

    @property
    def courtesy(self) -> bool:
        """Whether it asks for nothing in particular."""
        return bool(_COURTESY.match(self.core)) or bool(_COURTESY.match(self.sentence))

    @property
    def open(self) -> bool:
        """Whether it asks what, which, who, when, ...; not whether something is so."""
        return bool(_OPEN.match(self.core))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The questions that it joins with `and` or `or`."""
        parts = tuple(part.strip(" ,;") for part in _NEXT_CLAUSE.split(self.core) if part.strip(" ,;"))
        return parts or (self.core,)


def posed(text: str) -> tuple[Posed, ...]:
    """The questions of a text in order, courtesy included."""
    found: list[Posed] = []
    before: list[str] = []
    for sentence in _sentences(text):
        if asks(sentence):
            core, context = _parted(sentence)
            found.append(Posed(sentence, core, " ".join((*before[-2:], context)).strip()))
            before = []
        else:
            before.append(sentence)
    return tuple(found)


def asks(sentence: str) -> bool:
    """Whether a sentence is a question, or a request to be told something."""
    if sentence.rstrip(" \"')*\u201d").endswith("?"):
        return True
    return bool(_REQUEST.search(sentence)) and not _OFFER.search(sentence) and "?" not in sentence


def core_of(question: str) -> Posed:
    """A text that is known to ask, whatever its form."""
    core, context = _parted(question)
    return Posed(question, core, context)


def _sentences(text: str) -> list[str]:
    plain = _MARKUP.sub("", text.replace("\u2019", "'"))
    lines = [line for line in plain.splitlines() if not line.lstrip().startswith(">")]
    plain = _QUOTED.sub(lambda match: match[0].replace("?", "").replace(".", ""), "\n".join(lines))
    plain = _SHORT.sub(lambda match: match[1].replace(".", ""), plain)
    sentences = (_BULLET.sub("", part.strip()) for part in _SENTENCES.split(plain))
    return [sentence for sentence in sentences if sentence]


def _parted(sentence: str) -> tuple[str, str]:
    """The part of a sentence that asks, without what is polite about it, and what comes before that part."""
    parts = _BREAKS.split(sentence.strip())
    first = next((n for n, part in enumerate(parts) if _STARTS_HERE.match(part) or _REQUEST.match(part)), 0)
    core = ", ".join(parts[first:]).strip()
    bare = _POLITE.sub("", core).strip()
    core = bare if len(bare) > 3 else core
    return (f"{core} subject" if _SUBJECT.match(core) else core), ", ".join(parts[:first])


def focus_of(core: str) -> str:
    """What a question asks for, if it names it: `budget` in `What is the budget for the gift?`; or an empty text."""
    if _SUBJECT.match(core):
        return "subject"
    for pattern in _FOCUSES:
        found = pattern.match(core)
        if found:
            return found["focus"].rpartition("'s ")[2]
    return ""


def head_of(core: str) -> str:
    """What says of which kind the thing is that a question asks for: `By what date` and `budget`; all of it where it
    asks whether something is so."""
    found = _HEAD.match(core) if _OPEN.match(core) else None
    price = " cost" if _PRICE.search(core) else ""
    reason = " why" if _WHAT_FOR.match(core) else ""
    return f"{found[0]} {focus_of(core)}{price}{reason}" if found else core
