"""I moved from Leeds to York; we left Bristol; I switched to Linux; I quit my job at Acme; I got married."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import LEFT, Stance
from consolidation.rules.english.habits import without_time
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person, key_of

_I = r"^(?:I|we|I've|we've|I have|we have)\s+(?:have\s+)?(?:just\s+|recently\s+|finally\s+|already\s+|actually\s+|now\s+|both\s+)*"
_HOUSE = r"(?:house|home|flat|apartment|office|in|out|on|away|together|back home|back in|my|our|the|it|them|this|that|past|forward|house(?:s)?)\b"

_MOVED_FROM_TO = regex.compile(
    rf"{_I}(?:moved|relocated|moved back|moving|went)\s+(?:house\s+)?from\s+(?P<old>.+?)\s+(?:back\s+)?(?:to|into)\s+(?P<value>.+)$",
    regex.I,
)
_MOVED_TO = regex.compile(
    rf"{_I}(?:moved|relocated|emigrated|moved back|moved over|moved out|moved up|moved down)\s+(?:(?:here|back|over|out)\s+)?(?:to|into|in)\s+(?!{_HOUSE})(?P<value>.+?)(?:\s+from\s+(?P<old>.+))?$",
    regex.I,
)
_NOW_IN = regex.compile(
    r"^(?:I'm|we're|I am|we are)\s+(?:all\s+)?(?:now\s+|currently\s+)?(?:living\s+)?in\s+(?P<value>[\p{Lu}\p{Han}][\w'-]*(?:[ ,]+[\p{Lu}\p{Han}][\w'-]+){0,3})(?P<now>\s+(?:now|these days|at the moment))?$"
)
_LEFT = regex.compile(rf"{_I}(?:left|moved (?:out of|away from|out from))\s+(?P<value>[\p{{Lu}}\p{{Han}}].+)$")
_SWITCHED = regex.compile(
    rf"{_I}(?:switched|changed|migrated|converted)(?:\s+(?:my|our)\s+(?P<what>[\w -]{{2,30}}?))?(?:\s+(?:over|back))?\s+(?:from\s+(?P<old>.+?)\s+)?to\s+(?P<value>.+)$",
    regex.I,
)
_REPLACED = regex.compile(
    rf"{_I}(?:replaced|swapped|traded in|traded|exchanged|upgraded|updated)\s+(?P<old>(?:my|our|the)\s+.+?)\s+(?:with|for|by|to)\s+(?P<value>.+)$",
    regex.I,
)
_DITCHED = regex.compile(
    rf"{_I}(?:ditched|dropped|dumped|abandoned)\s+(?P<old>[\w' .-]{{2,30}}?)\s+(?:for|in favou?r of)\s+(?P<value>(?!the\b|a\b|now\b|good\b)[\w' .-]{{2,30}})$",
    regex.I,
)
_USE_INSTEAD = regex.compile(
    r"^(?:I|we)\s+(?:now\s+)?(?:use|prefer|drink|like|buy|drive|choose|take)\s+(?P<value>.+?)\s+instead\s+of\s+(?P<old>.+)$",
    regex.I,
)
_NOT_BUT = regex.compile(
    r"^(?:I|we)\s+(?:now\s+)?(?P<verb>use|prefer|drink|like|drive|eat)\s+(?P<value>.+?)\s+now\s*(?:,|and)?\s+not\s+(?P<old>.+)$",
    regex.I,
)
_JOINED = regex.compile(
    rf"{_I}(?:joined|started (?:working )?(?:at|for|with)|started a (?:new )?job (?:at|with)|got (?:a|the) (?:new )?job (?:at|with)|got hired (?:by|at)|took a (?:new )?(?:job|position|role) (?:at|with)|been hired by|begun (?:working )?(?:at|for))\s+(?P<value>(?-i:[\p{{Lu}}\p{{Han}}]).+)$",
    regex.I,
)
_BECAME = regex.compile(
    rf"{_I}(?:started (?:working )?as|was promoted to|been promoted to|got promoted to|became|become|trained as|retrained as|took (?:a|the) (?:job|role|position) (?:as|of))\s+(?:an?\s+|the\s+)?(?P<value>.+)$",
    regex.I,
)
_QUIT = regex.compile(
    rf"{_I}(?:quit|left|lost|resigned from|was (?:fired|laid off|let go) (?:from|by)|got (?:fired|laid off) (?:from|by)|been laid off (?:from|by)|finished (?:working )?at)\s+(?:my\s+(?:job|position|role|post)\s+(?:at|with|as|in)\s+|working (?:at|for)\s+)(?P<value>.+)$",
    regex.I,
)
_BROKE = regex.compile(
    rf"{_I}(?:quit|stopped|gave up|given up|cut out|sworn off|kicked)\s+(?P<value>(?!working|my job|trying|the)[\w' -]{{2,40}})$",
    regex.I,
)
_MARRIED = regex.compile(
    rf"{_I}(?:got|gotten|been|are|am)\s+(?P<value>married|engaged|divorced|separated)(?:\s+(?:to|with)\s+(?P<whom>.+))?$",
    regex.I,
)
_BORN = regex.compile(r"^I\s+was\s+born\s+(?P<prep>in|on|at)\s+(?P<value>.+)$", regex.I)
_GREW = regex.compile(r"^I\s+(?:grew up|was raised)\s+(?P<prep>in|on|near)\s+(?P<value>.+)$", regex.I)
_GRADUATED = regex.compile(
    r"^I\s+(?:graduated|got my (?:degree|masters?|phd|bachelors?)|studied)\s+(?P<prep>from|at|in)\s+(?P<value>.+)$",
    regex.I,
)
_BORN_CHILD = regex.compile(
    r"^(?:we|I)\s+(?:just\s+)?had\s+(?P<value>(?:a|our|our first|our second|another)\s+(?:baby|son|daughter|child|girl|boy|kid)\b.*|twins\b.*)$",
    regex.I,
)


_NAMES = regex.compile(
    r"(?!\w+day\b)[\p{Lu}\p{Han}][\w&'.-]*(?:,? (?:[\p{Lu}\p{Han}\d][\w&'.-]*|of|the|de|la|and|&))*$"
)


def _is_name(value: str) -> bool:
    """Say whether a value begins as a name does, in whichever script."""
    return value[0].isupper() or bool(regex.match(r"\p{Han}", value))


def changes(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says has changed: both what is so now and what it takes the place of."""
    for read in (_moves, _switches, _jobs, _life):
        found = list(read(clause, said_at))
        if found:
            yield from found
            return


def _moves(clause: str, said_at: datetime) -> Iterator[Statement]:
    for pattern in (_MOVED_FROM_TO, _MOVED_TO, _NOW_IN):
        found = pattern.match(clause)
        if found is None:
            continue
        value, since = without_time(found["value"], said_at)
        value, old = cut(value), cut(found.groupdict().get("old") or "")
        value = regex.split(r"\s+(?:with|for|and)\s+", value, maxsplit=1)[0]
        if value and (_is_name(value) or old or regex.match(r"(?:a|an|the)\s", value)):
            yield Statement(
                text=f"{{who}} lives in {in_third_person(value)}", predicate="lives_in", value=value, rule="en.moved", slot="residence",
                category="home", importance=0.8, replaces=key_of(old), changes=True, valid_from=since,
            )  # fmt: skip
        return
    found = _LEFT.match(clause)
    if found is not None:
        value, since = without_time(found["value"], said_at)
        value = cut(value)
        if value and _NAMES.match(value):
            yield Statement(
                text=f"{{who}} left {value}", predicate=LEFT, value=value, rule="en.left", stance=Stance.ENDED, importance=0.7, changes=True,
                valid_from=since, confidence=0.75,
            )  # fmt: skip


def _slot_of(what: str) -> str | None:
    """Return the slot of what somebody changed; a phone is a device here, not a number."""
    plain = what.lower()
    return (
        f"device {plain}"
        if regex.search(r"\b(?:phone|mobile|laptop|computer|tablet|car|watch|router)$", plain)
        else plain or None
    )


def _switches(clause: str, said_at: datetime) -> Iterator[Statement]:
    for pattern in (_SWITCHED, _REPLACED, _DITCHED, _USE_INSTEAD, _NOT_BUT):
        found = pattern.match(clause)
        if found is None:
            continue
        value, since = without_time(found["value"], said_at)
        value, old = cut(value), cut(found.groupdict().get("old") or "")
        what = found.groupdict().get("what") or ""
        if not value or regex.match(
            r"(?:a different|another|the (?:other|next)|bed|sleep|work|school|see|get|the (?:shop|store|gym|doctor))\b",
            value,
            regex.I,
        ):
            return
        upgraded = pattern is _REPLACED
        text = f"uses {value}"
        if upgraded and regex.search(r"\bto\b", clause) and regex.match(r"(?:version\s+)?v?\d", value):
            text = f"updated {old} to {value}"
        elif what:
            text = f"changed their {what} to {value}"
        elif found.groupdict().get("verb") or pattern is _USE_INSTEAD:
            verb = (
                found.groupdict().get("verb")
                or regex.findall(r"\b(?:use|prefer|drink|like|buy|drive|choose|take)\b", clause, regex.I)[0]
            ).lower()
            text = f"{verb}s {value}"
        yield Statement(
            text=f"{{who}} {in_third_person(text)}", predicate="uses", value=value, rule="en.switched", category="preference",
            slot=_slot_of(what), replaces=key_of(old), changes=True, valid_from=since,
        )  # fmt: skip
        return


def _jobs(clause: str, said_at: datetime) -> Iterator[Statement]:
    shapes = (
        (_JOINED, "works for {v}", "works_for", "employer", Stance.HOLDS),
        (_QUIT, "no longer works for {v}", "works_for", "employer", Stance.ENDED),
        (_BECAME, "works as {v}", "works_as", "occupation", Stance.HOLDS),
        (_BROKE, "gave up {v}", "does", None, Stance.ENDED),
    )
    for pattern, text, predicate, slot, stance in shapes:
        found = pattern.match(clause)
        if found is None:
            continue
        value, since = without_time(found["value"], said_at)
        value = cut(value)
        if not value or (
            pattern is _BECAME
            and regex.match(
                r"(?:\w+ed|friends?|aware|ill|sick|very|more|so|a (?:mother|father|dad|mum|mom|parent))\b",
                value,
                regex.I,
            )
        ):
            return
        yield Statement(
            text=f"{{who}} {text.replace('{v}', in_third_person(value))}", predicate=predicate, value=value,
            rule=f"en.{'quit' if stance is Stance.ENDED else 'job'}", stance=stance, slot=slot,
            category="work" if slot else "health", importance=0.7, changes=True, valid_from=since,
        )  # fmt: skip
        return


def _life(clause: str, said_at: datetime) -> Iterator[Statement]:
    bare, since = without_time(clause, said_at)
    found = _MARRIED.match(bare)
    if found is not None:
        value = found["value"].lower()
        whom = cut(found["whom"]) if found["whom"] else ""
        yield Statement(
            text=f"{{who}} is {value}" + (f" to {in_third_person(whom)}" if whom else ""), predicate="status", value=value, rule="en.status",
            slot="status", category="family", importance=0.7, changes=True, valid_from=since,
        )  # fmt: skip
        return
    shapes = (
        (_BORN, "was born {p} {v}", "born", "born", "person"),
        (_GREW, "grew up {p} {v}", "grew_up", "grew_up", "person"),
        (_GRADUATED, "graduated {p} {v}", "graduated", None, "work"),
        (_BORN_CHILD, "had {v}", "has_family", None, "family"),
    )
    for pattern, text, predicate, slot, category in shapes:
        found = pattern.match(clause)
        if found is None:
            continue
        value = cut(found["value"])
        prep = found.groupdict().get("prep") or ""
        if value:
            slot = f"{slot} {prep}" if slot else None
            said = text.replace("{p}", prep).replace("{v}", in_third_person(value))
            yield Statement(
                text=f"{{who}} {said}",
                predicate=predicate,
                value=value,
                rule=f"en.{predicate}",
                slot=slot,
                category=category,
                importance=0.6,
            )
        return
