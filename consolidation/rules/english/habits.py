"""I live in Leeds; I no longer use Windows; I never worked there; I used to love jazz."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.dates import ENGLISH, began
from consolidation.rules.english.verbs import VERBS, Verb
from consolidation.rules.english.whereabouts import STUDY, is_place, slot_of_work
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, ended, in_third_person, key_of

ADVERB = (
    r"(?:(?:also|now|currently|still|actually|really|just|always|usually|mostly|generally|often|personally|definitely|absolutely|recently|"
    r"already|both|normally|typically|mainly|only|primarily|exclusively|completely|truly|totally|much|very much|strongly|quite|rather|do|even|sometimes|"
    r"especially|particularly|firmly|genuinely|simply|regularly|daily|simply|therefore|slightly|greatly|nearly always|almost always|honestly)\s+)*"
)
_HABIT = regex.compile(
    r"\b(?:always|usually|mostly|generally|often|normally|typically|regularly|daily|every|each|twice|once a|only|times a|a day|a week|"
    r"for my|for the|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|in the (?:morning|evening)s?|before bed|at night|mg|tablets?|pills?)\b",
    regex.I,
)
_TIME = regex.compile(rf"[,\s]+({ENGLISH})\s*$", regex.I)
_TIME_FIRST = regex.compile(rf"^({ENGLISH})\s*$", regex.I)
_CHANGED = regex.compile(
    r"\b(?:now|these days|nowadays|anymore|any more|instead|lately|switched|from now on|currently)\b", regex.I
)
_OVER = regex.compile(r"^(.+?)\s+(?:over|to|rather than|instead of|more than|than)\s+(.+)$", regex.I)
_PLAIN = regex.compile(
    r"^(?:I|we)\s+(?:only\s+|mostly\s+)?(?:eat|drink|buy|order|wear|smoke|fly|ship|go)\s.*\b(?:now|these days|nowadays|instead)$|^I\s+(?:cycle|bike)\s+to\s|^I\s+wear\s|^I\s+smoke\s|^I\s+take\s+(?!it\b|that\b|this\b|back\b|care\b|part\b|an?\s+(?:look|break|seat|while|nap|walk|shower|photo|picture|chance|risk|guess)\b|the\s+(?:point|blame|time)\b)",
    regex.I,
)
"""Acts that the plain present tells as a habit."""
_PASSING = regex.compile(
    r"^the\s+(?!(?!same|other|whole|new)[\w -]+\s(?:industry|sector|business|trade|profession)$|(?:sea|ocean|beach|mountains?|outdoors|countryside|city|theat(?:re|er)|cinema|opera|ballet|rain|snow|sun|cold|heat|desert|forest|gym|piano|guitar|violin|cello|drums|flute|saxophone|clarinet|trumpet|harp|bus|train|tube|subway|metro|window|aisle)\b|(?-i:[\p{Lu}\p{Han}]))",
    regex.I,
)
"""Something that was just spoken of: "I love the idea"."""
_WHOM = regex.compile(r"(?:people|kids|them|others|everyone|my|him|her)\b", regex.I)
_SHORT_OBJECT_WORDS = 3


_AS = next(verb for verb in VERBS if verb.predicate == "works_as")


@cache
def _patterns(verb: Verb) -> tuple[tuple[Stance, "regex.Pattern[str]"], ...]:
    """Return the ways to say a verb, by what each says of its value."""
    base, prep = f"(?:{verb.base})", rf"\s+(?P<prep>{verb.preps})" if verb.preps else ""
    past, ing = f"(?:{verb.past})", f"(?:{verb.ing})"
    tail = rf"{prep}(?:\s+(?P<value>.+))$"
    now = rf"^(?:I|we)\s+{ADVERB}"
    shapes = (
        (
            Stance.NEVER,
            rf"^(?:I|we)(?:'ve|\s+have)?\s+(?:never|not once)\s+(?:actually\s+|really\s+|once\s+)?{past}{tail}",
        ),
        (Stance.ENDED, rf"^(?:I|we)\s+(?:really\s+)?no longer\s+{base}{tail}"),
        (Stance.ENDED, rf"^(?:I'm|we're|(?:I|we)\s+(?:am|are))\s+no longer\s+{ing}{tail}"),
        (
            Stance.ENDED,
            rf"^(?:I|we)(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:stopped|quit|gave up|given up)\s+{ing}{tail}",
        ),
        (
            Stance.ENDED,
            rf"^(?:I|we)\s+(?:do not|don't)\s+(?:really\s+)?{base}{prep}\s+(?P<value>.+?)\s+(?:anymore|any more|any longer|now)\b.*$",
        ),
        (Stance.LACKS, rf"^(?:I|we)\s+(?:do not|don't|never)\s+{ADVERB}{base}{tail}"),
        (Stance.PAST, rf"^(?:I|we)\s+used to\s+{base}{tail}"),
        (Stance.HOLDS, rf"{now}{base}{tail}"),
        (Stance.HOLDS, rf"^(?:I'm|we're|(?:I|we)\s+(?:am|are))\s+{ADVERB}{ing}{tail}"),
        (Stance.HOLDS, rf"^(?:I've|we've|(?:I|we)\s+have)\s+(?:also\s+|always\s+|now\s+)?been\s+{ADVERB}{ing}{tail}"),
        (Stance.HOLDS, rf"^(?:I've|we've|(?:I|we)\s+have)\s+(?:always\s+){past}{tail}"),
        (Stance.HOLDS, rf"^(?:I've|we've|(?:I|we)\s+have)\s+{past}{prep}\s+(?P<value>.+\b(?:since|for)\s.+)$"),
    )
    return tuple((stance, regex.compile(shape, regex.I)) for stance, shape in shapes)


def habits(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says with one of the verbs; the first verb that fits is the one meant."""
    for verb in VERBS:
        for stance, pattern in _patterns(verb):
            found = pattern.match(clause)
            if found is None:
                continue
            if verb.acts and stance is Stance.HOLDS and not _HABIT.search(clause) and not _PLAIN.match(clause):
                return
            yield from _stated(verb, stance, found, said_at)
            return


def _stated(verb: Verb, stance: Stance, found: "regex.Match[str]", said_at: datetime) -> Iterator[Statement]:
    value, since = without_time(found["value"], said_at)
    prep = (found.groupdict().get("prep") or "").lower()
    if prep in {"a", "an", "the", "my", "our", "my own"} or prep.startswith(("running", "to ", "swimming")):
        value, prep = f"{prep} {value}".strip() if value else prep, ""
    value = cut(value)
    verb, prep, value = _where(verb, prep, value)
    hours = verb.predicate == "works_from" and value[:1].isdigit()
    if verb.predicate == "lives_in":
        value = regex.split(r"\s+(?:with|for|and)\s+", value, maxsplit=1)[0]
    if verb.predicate == "works_as" and (
        at := regex.match(r"(.+?)\s+(?:at|for|with)\s+((?:the\s+)?[A-Z].*)$", value)
    ):
        value = at[1]
        yield Statement(
            text=f"{{who}} works at {at[2]}", predicate="works_for", value=at[2], rule="en.works_for", slot="employer", category="work",
            importance=0.7, valid_from=since,
        )  # fmt: skip
    as_what = regex.match(r"(.+?)\s+as\s+(?:an?\s+|the\s+)(.+)$", value) if verb.predicate == "works_for" else None
    if as_what is not None:
        value = as_what[1]
        yield Statement(
            text=_sentence(_AS, stance, f"as a {as_what[2]}"), predicate=_AS.predicate, value=as_what[2], rule="en.works_as",
            stance=stance, slot=_AS.slot, category=_AS.category, importance=_AS.importance, valid_from=since,
        )  # fmt: skip
    preferred = _OVER.match(value) if verb.predicate == "prefers" else None
    replaces = key_of(preferred[2]) if preferred else ""
    parts = _parts(value) if verb.predicate in {"likes", "dislikes", "speaks", "plays"} else [value]
    for part in parts:
        if not part or _PASSING.match(part) or not _fits(verb, part):
            continue
        yield Statement(
            text=_sentence(verb, stance, f"{prep} {part}".strip()),
            predicate=verb.predicate,
            value=preferred[1] if preferred else part,
            rule=f"en.{verb.predicate}",
            stance=stance,
            slot="working hours" if hours else verb.slot,
            category=verb.category,
            importance=verb.importance,
            replaces=replaces,
            changes=bool(_CHANGED.search(found.string)),
            valid_from=since,
        )


def _where(verb: Verb, prep: str, value: str) -> tuple[Verb, str, str]:
    """Return a verb with the slot of the place it names: who works or studies in Bonn has no field or subject of it."""
    if verb.predicate == "works_in":
        return replace(verb, slot=slot_of_work(value)), prep, value
    if verb.predicate == "studies" and value.startswith("in ") and is_place(value.removeprefix("in ")):
        return replace(verb, predicate="studies_in", slot=STUDY), "in", value.removeprefix("in ")
    return verb, prep, value


def _fits(verb: Verb, part: str) -> bool:
    """Say whether a value can be what the verb is about: a language, an instrument or game, a subject."""
    if verb.predicate == "speaks":
        return bool(_LANGUAGE.match(part))
    if verb.predicate == "plays":
        return not part.lower().startswith(("with ", "around", "along", "it ", "a role", "a part", "dumb"))
    return verb.predicate != "teaches" or not _WHOM.match(part)


_LANGUAGE = regex.compile(
    r"(?:(?:a\s+(?:little|bit of)|some|fluent|basic|broken|native|decent|good)\s+)*(?-i:[\p{Lu}\p{Han}])\w+", regex.I
)


def _sentence(verb: Verb, stance: Stance, rest: str) -> str:
    rest = in_third_person(rest)
    base = verb.base.split("|", maxsplit=1)[0]
    if base.startswith("can't"):
        base = "hate"
    said = {
        Stance.HOLDS: f"{verb.third} {rest}",
        Stance.LACKS: f"does not {base} {rest}",
        Stance.ENDED: f"no longer {verb.third} {rest}",
        Stance.NEVER: f"never {verb.past} {rest}",
        Stance.PAST: f"used to {base} {rest}",
    }[stance]
    return "{who} " + said.replace("{", "").replace("}", "")


def _parts(value: str) -> list[str]:
    """Return the members of a short list, each a value of its own."""
    members = regex.split(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+", value)
    short = all(0 < len(member.split()) <= _SHORT_OBJECT_WORDS for member in members)
    return [cut(member) for member in members] if len(members) > 1 and short else [value]


def without_time(value: str, said_at: datetime) -> tuple[str, datetime | None]:
    """Return a value without the time that ends it, and that time's beginning."""
    since, value = None, ended(value)
    while found := _TIME.search(value):
        since = began(found[1], said_at) or since
        value = value[: found.start()]
    return ("", began(value, said_at)) if _TIME_FIRST.match(value) else (value, since)
