"""Turns what a person says about a policy into a rule, without what they say around it.

People say *can't you see that a broken one should be replaced by the same*; what is remembered is
that a broken one should be. The words themselves are stored beside it, as its source. If they say
what is right but not when, the rule begins with what they are about and is left open
(:func:`is_open`): a person must complete it before it can be in force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from agent.memory.entry import LONGEST_TEXT
from agent.reflection.policy_lines import stems

Effect = Literal["relaxes", "tightens"]

OPEN = "where …"
"""The ending of a rule that does not say when it holds."""

_NO_SUCH = r"no(?= (?!(?:an?|the|it|this|that|you|we|they|I|matter)\b)(?:\w+ ){1,2}(?:may|can)\b)"
"""A *no* that negates a noun, as in *no item may*; in *no a broken item may* it is an answer."""

FORBIDS = re.compile(
    r"\b(?:(?:must|may|should|can) not(?! have to| need)|never|not allowed|cannot"
    r"|(?:must|should|ca)n['’]t|only (?:if|when|for)|(?:may|can|must) only"
    rf"|(?:{_NO_SUCH}|nobody|nothing|none)(?: \w+){{0,2}} (?:may|can))\b",
    re.IGNORECASE,
)
_ANYBODY = (
    r"(?:people|persons?|customers?|users?|agents?|every(?:one|body)|any(?:one|body)|ones?|items?"
    r"|orders?|things?)"
)
_STATE = (
    r"(?:broken|faulty|defective|torn|wrong|late|lost|missing|unopened|unused|unworn|dirty"
    r"|\w{3,}ed)"
)
"""Words for the state of something, before its name: *a broken chair*."""

_LET = rf"^let (?:me|us) (?=\w+ (?:my|our|an?|the|any) {_STATE} \w+)"
"""A wish that says when; without that it is unclear whether it is a rule."""

_WISH = re.compile(_LET, re.IGNORECASE)

_ABLE = r"(?=(?: always)? be (?:always )?(?:able|allowed|free)\b)"
_ALWAYS = (
    r"(?<!\bmay )(?<!\bcan )(?!(?<=\bshould )always be\b)always"
    r"(?! (?:may|can|(?:be )?(?:able|allowed|free)\b))"
)
"""An *always* that demands something; within a permission it does not."""

DEMANDS = re.compile(
    rf"\b(?:must(?!{_ABLE})|{_ALWAYS}|{_ANYBODY} ha(?:s|ve) to(?!{_ABLE}))\b", re.IGNORECASE
)
PERMITS = re.compile(
    rf"{_LET}|\b(?:must{_ABLE}|{_ANYBODY} (?:ha(?:s|ve)|ought|needs?) to{_ABLE})"
    r"|\b(?:may|allowed|can (?:always )?be|can always|always can"
    r"|(?:you|agents?|customers?|users?|one) can|should (?:always )?(?:be|have)"
    r"|exceptions?|even (?:if|though|when)|regardless|whether or not|no matter|counts?|covers?"
    r"|covered|includ\w+|any reason|need not|not have to|not need)\b",
    re.IGNORECASE,
)

_ASKS = r"(?:ca|do|did|wo|could|have|are|is)(?:n['’]?t|n not)"
_THAT = r"(?:\s+that\b)?,?\s+"
_RHETORICAL = re.compile(
    rf"{_ASKS} you (?:\w+ )?(?:see|know|understand|read|remember|accept|reali[sz]e|aware){_THAT}",
    re.IGNORECASE,
)
_FRAME = re.compile(
    rf"(?!{_NO_SUCH})(?:no|nope|nah|well|but|and|so|sorry|please|look|listen|hey|actually|yes|also|still|because"
    r"|the thing is|in fact)\b[,!.:]?\s+"
    rf"|{_RHETORICAL.pattern}"
    rf"|(?:I|we)(?: was| were| have been| had been|['’]ve been) (?:told|promised|assured){_THAT}"
    rf"|(?:I|we) (?:think|thought|believe|know|said|say|told (?:you|it)|mean|meant|read|heard"
    rf"|understand|find|guess|am sure|['’]m sure){_THAT}"
    rf"|(?:you|the agent|it|the clerk|agents) (?:should|must|ought to|need to|needs to)"
    rf" (?:have )?(?:known?|seen?|underst\w+|remember\w*|learn\w*|reali[sz]ed?){_THAT}"
    rf"|(?:it|that)(?: is|['’]s) (?:obvious|clear|only fair|true|a fact|well known){_THAT}"
    rf"|(?:the )?(?:truth|point|fact|policy|rule|right thing) (?:is|says|means){_THAT}"
    rf"|(?:note|remember|know|understand|learn|see){_THAT}",
    re.IGNORECASE,
)
_BREAK = re.compile(r"(\s*(?:[:;]|\s[–—-]\s)\s*)")
_COMMA = re.compile(r"\s*,\s*")
_SO = re.compile(r"^(?P<fact>.+?),?\s+(?:so|and so|therefore|thus)\s+(?P<rest>.+)$", re.IGNORECASE)
WHEN = re.compile(
    r"\b(?:if|when|whenever|where|because|since|unless|until|although|though|as long as|in case"
    r"|provided|after|before|within|without|regardless|whether|no matter|for (?:an?|the|any|every)"
    r"|for reasons?)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:(?:if|when|where|unless|because|since|as) )?(?:it|this|that|these|those|they|he|she)\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:it|this|that|them|so)", re.IGNORECASE)
_WHAT_IS = re.compile(
    r"what(?:ever)?(?:['’]s| (?:is|was|has|came|comes|arrives?|arrived)) .*\w "
    r"(?:may|can|must|should|has to)\b",
    re.IGNORECASE,
)
"""Phrases that name something by its state: *what's broken should be replaced*."""

_NO_SUBJECT = re.compile(
    r"(?:may|can|could|must|should|shall|will|would|do|does|did|is|are|was|were|have|has|not|never"
    r"|allowed|why|what|how|which|that|than|to)\b",
    re.IGNORECASE,
)
_DANGLES = re.compile(
    r"\s+(?:(?:may|can|could|must|should|might)(?: not)?(?: be| have)?|is|are)$", re.IGNORECASE
)
_SHOULD_HAVE_BEEN = re.compile(r"\bshould (?P<no>not |never )?have been\b", re.IGNORECASE)
_OF_ONE = re.compile(r"\bshould (?:not |never )?have\b", re.IGNORECASE)
_SHOULD_HAVE = re.compile(
    r"^(?:the agent|the clerk|you|it|they|he|she) should (?P<no>not |never )?have "
    r"(?P<did>\w+) (?P<rest>.+)$",
    re.IGNORECASE,
)
_PERSONS = (
    (_WISH, "the customer may "),
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "the"),
    (re.compile(r"\b(?:I|we)(?: am|['’]m| are|['’]re)\b", re.IGNORECASE), "the customer is"),
    (re.compile(r"\b(?:I|we)(?: have|['’]ve)\b", re.IGNORECASE), "the customer has"),
    (re.compile(r"\b(?:I|we) were\b", re.IGNORECASE), "the customer was"),
    (
        re.compile(
            r"\b(?:I|we) (?=(?:was|had|can|may|must|should|could|would|will|did|never"
            r"|(?!need)\w+ed)\b)",
            re.IGNORECASE,
        ),
        "the customer ",
    ),
    (re.compile(r"\b(?:me|us)\b"), "the customer"),
)
_SOMEBODY = re.compile(r"\b(?:I|we|me|us|my|our|mine|ours|myself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class About:
    """The subject of a person's words, as far as it is known without them."""

    topic: str
    """The act: *Exchanging delivered items*."""

    tool: str
    check: str
    """The check that is read differently; empty if there is none."""

    effect: Effect


def without_frame(sentence: str) -> str:
    """A sentence without its conversational opening; empty for a question that states nothing."""
    told = sentence.strip()
    if told.endswith("?") and not _RHETORICAL.match(told):
        return ""
    while found := _FRAME.match(told):
        told = told[found.end() :]
    return told


def says_a_rule(text: str) -> bool:
    """Whether words permit, forbid or demand something."""
    return any(each.search(text) for each in (FORBIDS, DEMANDS, PERMITS))


def is_wish(text: str) -> bool:
    """Whether the words ask for something for oneself; a rule only if a check is in the way."""
    return _WISH.match(text) is not None


def rule_in_words(sentences: Iterable[str], about: About, is_one: Callable[[str], bool]) -> str:
    """These sentences, without openings, as a rule; open if they do not say when it holds.

    A rule that names a record (``is_one``) is left out, and one about a single case is left out if
    there is a general one. So are the last sentences if together they are longer than a text of an
    entry may be.
    """
    told = {
        rule: bool(_OF_ONE.search(part))
        for part in _parts(sentences)
        if (rule := _rule(part, about))
    }
    named = {rule: of_one for rule, of_one in told.items() if not is_one(rule)}
    general = [rule for rule, of_one in named.items() if not of_one]
    return _as_many_as_fit(general or list(named)) or begin_rule(about)


def _as_many_as_fit(rules: list[str]) -> str:
    """Join the first of these sentences, as many as fit in one text of an entry, and at least one.

    Each may state its subject again, so that they can be longer than what was said.
    """
    lengths = accumulate(len(each) + 1 for each in rules)
    fitting = sum(length - 1 <= LONGEST_TEXT for length in lengths)
    return " ".join(rules[: max(1, fitting)])


def _parts(sentences: Iterable[str]) -> list[str]:
    """The parts that are independent; one with a pronoun stays with the rule that it refers to."""
    parts: list[str] = []
    for between, part in _pieces(sentences):
        of_before = _PRONOUN.match(part) and says_a_rule(part)
        if parts and of_before and _says_of_what(parts[-1]):
            parts[-1] += between + part
        else:
            parts.append(part)
    return parts


def _pieces(sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each piece of the sentences, after the text that separates it from the one before."""
    for each in sentences:
        first, *more = _BREAK.split(each.strip(" .!?…"))
        yield ". ", f"{first[:1].upper()}{first[1:]}"
        yield from zip(more[::2], more[1::2], strict=True)


def _says_of_what(rule: str) -> bool:
    is_general = says_a_rule(rule) and not _OF_ONE.search(rule)
    return is_general and not _PRONOUN.match(without_frame(rule))


def is_open(rule: str) -> bool:
    """Whether a person has yet to say when the rule holds."""
    return rule.endswith(OPEN)


def _rule(sentence: str, about: About) -> str:
    whole, parts = without_frame(sentence), _COMMA.split(sentence)
    for part in (whole, *(map(without_frame, parts) if len(parts) > 1 else ())):
        if says_a_rule(part) and (rule := _of_part(_generalize(part, about), about)):
            return rule
    return _from_fact(whole, about)


def _generalize(part: str, about: About) -> str:
    """The part without the people of the conversation and without a single past case."""
    for pattern, instead in _PERSONS:
        part = pattern.sub(instead, part)
    part = _SHOULD_HAVE_BEEN.sub(lambda m: "must not be" if m["no"] else "may be", part)
    done = _SHOULD_HAVE.match(part)
    if done is None:
        return part
    verb = next((w for w in about.tool.split("_") if {*stems(w)} & {*stems(done["did"])}), "")
    modal = "must not" if done["no"] else "may"
    told = verb and not _ONE.fullmatch(done["rest"])
    return f"The agent {modal} {verb} {done['rest']}" if told else ""


def _of_part(part: str, about: About) -> str:
    """The part as a sentence, if necessary after its subject; empty if it cannot stand alone."""
    if not part or _SOMEBODY.search(part) or _is_without_subject(part):
        return ""
    dangling = _DANGLES.search(part)
    if dangling:
        subject = part[: dangling.start()]
        return "" if _PRONOUN.match(subject) else begin_rule(about, f"for {_lower(subject)}")
    if _PRONOUN.match(part):
        return f"{about.topic}: {_lower(part)}." if WHEN.search(part) else ""
    return f"{part[0].upper()}{part[1:]}."


def _is_without_subject(part: str) -> bool:
    return bool(_NO_SUBJECT.match(part)) and not _WHAT_IS.match(part)


def _from_fact(sentence: str, about: About) -> str:
    """The rule from a fact and what follows from it: *It is broken, so it should be replaced*."""
    found = _SO.match(sentence)
    if found is None:
        return ""
    fact = _generalize(found["fact"], about)
    return "" if not fact or _SOMEBODY.search(fact) else begin_rule(about, f"where {_lower(fact)}")


def begin_rule(about: About, when: str = "") -> str:
    """The rule from its subject: the change, the check, and ``when``; open without that."""
    # Single quotes: text that quotes the rule has curly ones, within which curly quotes would be
    # spelled by code point.
    check = f" though '{about.check}' does not hold" if about.check else ""
    if about.effect == "tightens":
        check = f", whatever '{about.check}' says" if about.check else ""
        told = f"{about.topic}: not allowed{check}"
    else:
        told = f"{about.topic}: allowed{check}"
    return f"{told}, {when}." if when else f"{told}, {OPEN}"


def _lower(text: str) -> str:
    """The text as it is written within a sentence; words in capitals stay as they are."""
    return text if text[1:2].isupper() else f"{text[0].lower()}{text[1:]}"
