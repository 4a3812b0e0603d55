"""From now on ship with SF; always call me Bo; never send me newsletters; stop using Hermes."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person, key_of

_FROM_NOW = regex.compile(
    r"\b(?:from now on|going forward|(?:in|for) (?:the )?future|from today|from here on|as of today|starting today|henceforth)\b[,:]?\s*",
    regex.I,
)
_STANDING = regex.compile(r"^(?:please\s+|pls\s+)?(?:always|never|don't ever|do not ever|only)\s+", regex.I)
_CALL_ME = regex.compile(
    r"^(?:please\s+|you can\s+|just\s+|everyone\s+|my friends\s+|people\s+)*(?:calls?|address(?:es)?)\s+me\s+(?:as\s+)?(?P<value>(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.\s)?[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*)?))\b(?!\s+(?:back|at|on|later|when|if|crazy|old))",
    regex.I,
)
_BY_ME = regex.compile(
    r"^(?:I|we)(?:'ll|\s+will)?\s+(?:only\s+|always\s+)?(?:want|choose|use|pick|go with|take|ship with|order from|buy|prefer|stick with)\s+(?:to\s+(?:use|have)\s+)?(?P<value>.+)$",
    regex.I,
)
_IMPERATIVE = regex.compile(
    r"^(?:please\s+|pls\s+|just\s+)*(?P<verb>use|ship (?:it |them |everything |all |all my \w+ |my \w+ |to me )?(?:with|by|via)|send (?:it |them |everything |my \w+ )?(?:with|by|via|to)|deliver (?:it |everything |to me )?(?:to|with|by)|(?:reply|answer|respond|write|talk|explain)(?: to)?(?: me)?(?: things)? (?:in|with)|write (?:to me )?in|speak|address me as|"
    r"book|order|choose|pick|contact me (?:by|on|via|at)|reach me (?:by|on|at|via)|call me (?:on|at)|email me (?:at|on)|seat me|schedule|remind me|keep|avoid|include|give me|text me|show)\s+(?P<value>.+)$",
    regex.I,
)
_STOP = regex.compile(
    r"^(?:please\s+|pls\s+)?(?:don't|do not|stop|no more|never|don't ever)\s+(?P<verb>use|using|ship(?:ping)? (?:with|by|via)|send(?:ing)?(?: me)?|call(?:ing)? me|book(?:ing)?|order(?:ing)?|suggest(?:ing)?|recommend(?:ing)?|contact(?:ing)? me|email(?:ing)? me|include|including|put(?:ting)?|deliver(?:ing)?|schedul(?:e|ing))\s+(?P<value>.+?)(?P<again>\s+(?:again|anymore|any more|any longer|ever))?$",
    regex.I,
)


def orders(clause: str, said_at: datetime, *, lead: str) -> Iterator[Statement]:
    """Yield the standing wishes of one clause; a wish for once is none."""
    named = _CALL_ME.match(clause)
    if named is not None and named["value"][0].isupper():
        yield Statement(
            text=f"{{who}} is called {named['value']}",
            predicate="called",
            value=named["value"],
            rule="en.call_me",
            slot="called",
            category="person",
            importance=0.8,
        )
        return
    clause = regex.sub(r"\byour\b", "the", clause)
    standing = bool(_FROM_NOW.search(lead + clause) or _STANDING.match(clause) or _STOPPING.match(clause))
    bare = _STANDING.sub("", _FROM_NOW.sub("", clause)).strip(" ,.")
    stopped = _STOP.match(bare) or _STOP.match(clause)
    if stopped is not None and (standing or stopped["again"]):
        yield from _stopped(stopped)
    elif standing:
        yield from _wanted(bare, never=bool(regex.match(r"never\b", clause, regex.I)))


_STOPPING = regex.compile(r"(?:please\s+|pls\s+)?stop\s+\w+ing\b", regex.I)


def _stopped(found: "regex.Match[str]") -> Iterator[Statement]:
    value, verb = cut(found["value"]), found["verb"].lower()
    if value:
        whom = "to" if _is_own(verb) else "anyone to"
        yield _wish(f"does not want {whom} {_plain(verb)} {value}", value, Stance.LACKS, "en.stop")


def _wanted(bare: str, *, never: bool) -> Iterator[Statement]:
    own = _BY_ME.match(bare)
    if own is not None and (value := cut(own["value"])):
        yield _wish(f"prefers {value}", value, Stance.HOLDS, "en.from_now_on")
        return
    order = _IMPERATIVE.match(bare)
    if order is None or not (value := cut(order["value"])):
        return
    verb = order["verb"].lower()
    if never:
        yield _wish(f"does not want others to {verb} {value}", value, Stance.LACKS, "en.never")
    else:
        said = f"prefers {value}" if verb in {"use", "choose", "pick"} else f"wants others to {verb} {value}"
        yield _wish(said, value, Stance.HOLDS, "en.from_now_on")


def _is_own(verb: str) -> bool:
    return verb.startswith("us")


def _plain(verb: str) -> str:
    return regex.sub(
        r"^(\w+?)(?:ing|ting)\b",
        lambda found: {"us": "use", "includ": "include", "schedul": "schedule", "putt": "put"}.get(
            found[1], found[1]
        ),
        verb,
    )


def _wish(text: str, value: str, stance: Stance, rule: str) -> Statement:
    return Statement(
        text=f"{{who}} {in_third_person(text)}".replace("  ", " "), predicate="prefers", value=value, rule=rule, stance=stance,
        category="preference", importance=0.8, changes=True, replaces="" if stance is Stance.HOLDS else key_of(value),
    )  # fmt: skip
