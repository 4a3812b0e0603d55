"""Sheffield is home now; updated the box to Postgres 16.2; I owe the bank 900: frames of change and of account."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.english.frame import PROPER, VERSION, WHO, Frame
from consolidation.rules.english.habits import without_time
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person, key_of

H, E, P = Stance.HOLDS, Stance.ENDED, Stance.PAST
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d{1,2}|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|\d{4}-\d\d-\d\d)"
_EVENT = r"(?:appointment|meeting|interview|exam|flight|check-?up|surgery|operation|scan|hearing|deadline|viewing|call|booking|reservation|consultation|vaccination|dentist)"
_DIET = r"(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|keto|paleo|gluten-free|dairy-free|halal|kosher)"
_STARTED = {
    "eating": "eats",
    "drinking": "drinks",
    "using": "uses",
    "taking": "takes",
    "playing": "plays",
    "driving": "drives",
    "wearing": "wears",
    "buying": "buys",
}
FRAMES: tuple[Frame, ...] = (
    Frame(rule="home", pattern=rf"(?P<value>{PROPER}[\p{{L}}' .-]{{1,40}}) is (?:my|our) (?:new )?home(?: now| these days)?", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True),
    Frame(rule="perhaps_home", pattern=rf"(?P<value>(?!The (?!Hague)|My |Our |He |She |It |They |Everyone |Nobody ){PROPER}[\p{{L}}' .-]{{1,40}}) is (?:now )?home(?: now| these days)?", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True, confidence=0.5),
    Frame(rule="home", pattern=rf"{WHO}(?:now )?calls? (?P<value>{PROPER}[\p{{L}}' .-]{{1,40}}?) (?:my |our )?home(?: now)?", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True),
    Frame(rule="home", pattern=rf"(?:my |our )?(?:new |current )?(?:(?:home|place|flat|house|apartment|base|office) (?:is|'s)(?: now)? in|(?:home|city|town) (?:is|'s)(?: now)?) (?P<value>{PROPER}[\p{{L}}' ,.-]{{1,40}}?)(?: now| these days)?", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True),
    Frame(rule="signed", pattern=rf"{WHO}(?:just |recently |now )?signed (?:(?:my|an?|the) (?:new |permanent )*(?:(?:job|employment|work) (?:contract|offer)|offer|offer letter)|my (?:new |permanent )*contract) with (?P<value>{PROPER}.+)", text="works for {v}", predicate="works_for", slot="employer", category="work", importance=0.7, changes=True, confidence=0.5),
    Frame(rule="job_at", pattern=rf"(?:my |the )?(?:new |current )(?:(?:job|gig|role|position) (?:is|'s)(?: now)? (?:at|with)|(?:employer|company) (?:is|'s)(?: now)?) (?P<value>{PROPER}.+)", text="works for {v}", predicate="works_for", slot="employer", category="work", importance=0.7, changes=True),
    Frame(rule="was_a", pattern=r"I used to (?:be|work as) (?:an? )(?P<value>(?!fan\b|bit\b|lot\b|big\b|kid\b|child\b)[a-z][\w -]{2,40})", text="used to be a {v}", predicate="works_as", category="work", stance=P),
    Frame(rule="shift", pattern=r"I work (?:the |an? )?(?P<value>(?:late|night|day|early|morning|evening|graveyard|swing|split) shifts?)\b.*", text="works the {v}", predicate="working_hours", slot="working hours", category="work"),
    Frame(rule="hours", pattern=r"(?:my |our )?(?:working |office )hours are (?:now )?(?P<value>(?:from )?\d.+)", text="'s working hours are {v}", predicate="working_hours", slot="working hours", category="work"),
    Frame(rule="owes", pattern=r"(?:I|we)(?: still)? owe (?P<value>(?!you\b|it\b)(?:[\w'-]+ ){0,5}?[$€£¥]?\d.*)", text="owes {v}", predicate="owes", category="money", importance=0.6, whole=True),
    Frame(rule="owed", pattern=r"(?P<value>(?:my|the|our) [\w ]{2,30} owes (?:me|us) [$€£¥]?\d.*)", text="says that {v}", predicate="is_owed", category="money", importance=0.5, whole=True),
    Frame(rule="appointment", pattern=rf"(?:I|we)(?: have|'ve got|'ve| have got|'ve booked| booked| have booked| made)? (?:(?:an?|my|our|the) )(?P<value>(?:[\w'-]+ ){{0,3}}?{_EVENT}\b.*\b{_DAY}\b.*)", text="has a {v}", predicate="appointment", category="plan", importance=0.6, whole=True, ttl_days=180),
    Frame(rule="appointment", pattern=rf"(?:my|our) (?P<value>(?:[\w'-]+ ){{0,3}}?{_EVENT} (?:is|has been moved to|was moved to|is now)(?: on| at| for)? {_DAY}\b.*)", text="'s {v}", predicate="appointment", category="plan", importance=0.6, whole=True, ttl_days=180),
    Frame(rule="version", pattern=rf"(?:my |our |the )?(?P<value>{PROPER}[\w+#]*(?: {PROPER}[\w+#]*){{0,2}}) (?:is|'s|runs)(?: now| currently)? (?:at|on) (?P<version>{VERSION})(?: now)?", text="uses {v}", predicate="version", category="possession", changes=True, only_if_met=True),
    Frame(rule="version", pattern=rf"(?:(?:I|we)(?:'ve| have)? )?(?:just |recently |finally |already |now )*(?:upgraded|updated|migrated|moved|bumped|downgraded|switched|gone|went)(?: (?P<what>(?!from\b)[\w' -]{{2,30}}?))?(?: (?:over|up|back))?(?: from .{{1,40}}?)? to (?P<value>(?:(?:{PROPER}|version |v)[\w+#.]*\s?){{0,3}}{VERSION})", text="runs {v}", predicate="version", category="possession", changes=True),
    Frame(rule="went_from", pattern=rf"{WHO}(?:went|gone|moved|switched|changed|converted) from (?P<old>{_DIET}) to (?P<value>{_DIET})", text="is {v}", predicate="diet", slot="diet", category="health", importance=0.8, changes=True),
    Frame(rule="off_drug", pattern=r"(?:(?:the|my) doctor|they|my gp) (?:took|has taken) me off (?P<value>[\w -]{3,40})|(?:I'm|I am|I've come|I came|I have come) off (?:the |my )?(?P<value>[\w-]+(?:pril|olol|statin|azole|mycin|formin|parin|tablets?|pills?|medication|insulin|antidepressants?|antibiotics|steroids))(?: now)?", text="no longer takes {v}", predicate="takes", category="health", stance=E, changes=True, importance=0.8),
    Frame(rule="name", pattern=rf"I'm (?P<value>(?!Team\b|In\b|At\b){PROPER}[\p{{L}}'-]+ {PROPER}[\p{{L}}'-]+) now", text="is called {v}", predicate="name", slot="name", category="person", importance=0.9, changes=True),
)  # fmt: skip
_BEGUN = regex.compile(
    rf"^{WHO}(?:started|begun|began|taken up|took up) (?P<how>{'|'.join(_STARTED)}) (?P<value>.+)$", regex.I
)
_COMPILED = tuple((frame, regex.compile(rf"^(?:{frame.pattern})$", regex.I)) for frame in FRAMES)


def frames(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says in one of these frames."""
    begun = _BEGUN.match(clause)
    if begun is not None:
        value, since = without_time(begun["value"], said_at)
        if (value := cut(value)) and not regex.search(
            r"\b(?:lessons?|classes|courses?)$|^(?:up|the|this|that|lunch|dinner|breakfast)\b", value
        ):
            verb = _STARTED[begun["how"].lower()]
            yield Statement(
                text=f"{{who}} {verb} {in_third_person(value)}", predicate="takes" if verb == "takes" else verb, value=value, rule="en.started",
                category="health" if verb == "takes" else "preference", changes=True, valid_from=since,
            )  # fmt: skip
            return
    for frame, pattern in _COMPILED:
        found = pattern.match(clause) or pattern.match(without_time(clause, said_at)[0])
        if found is None:
            continue
        statement = stated(frame, found, said_at)
        if statement is not None:
            yield statement
            return


def stated(frame: Frame, found: "regex.Match[str]", said_at: datetime) -> Statement | None:
    """Return what a frame reads in its match; None, where the value says nothing."""
    groups = found.groupdict()
    value, since = (found["value"], None) if frame.whole else without_time(found["value"], said_at)
    value = value.strip(" .,!") if frame.whole else cut(value)
    if not value:
        return None
    if groups.get("version"):
        value = f"{value} {groups['version']}"
    how = (groups.get("how") or "").lower()
    what, old = cut(groups.get("what") or ""), cut(groups.get("old") or "")
    said = frame.text.replace("{v}", in_third_person(value)).replace("{how}", how)
    if said.startswith("has a ") and said[len("has a ")] in "aeiou":
        said = said.replace("has a ", "has an ", 1)
    if what and frame.predicate == "version":
        said = f"{said} on {in_third_person(what)}"
    who = "{who}" if said.startswith("'s ") else "{who} "
    return Statement(
        text=who + said.replace("{", "").replace("}", ""),
        predicate=frame.predicate,
        value=value,
        rule=f"en.{frame.rule}",
        stance=frame.stance,
        slot=frame.slot,
        category=frame.category,
        importance=frame.importance,
        confidence=frame.confidence,
        replaces=key_of(old) if old else "",
        changes=frame.changes,
        valid_from=since,
        ttl_days=frame.ttl_days,
        only_if_met=frame.only_if_met,
    )
