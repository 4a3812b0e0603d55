"""What people say in ways of its own: home is Cardiff; I can't eat gluten; I have no siblings; I'd rather have tea than coffee."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.english.attributes import FAMILY, PET
from consolidation.rules.english.habits import without_time
from consolidation.rules.english.ownable import is_owned
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person, key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Idiom:
    """One way of saying something: the pattern of a whole clause and the sentence it becomes."""

    rule: str
    pattern: str
    text: str
    predicate: str
    slot: str | None = None
    category: str = ""
    importance: float = 0.6
    stance: Stance = Stance.HOLDS
    changes: bool = False


_OWNED = rf"(?:{FAMILY}|{PET})s?|siblings|pets|children|allergies|dependants|family nearby"
IDIOMS: tuple[Idiom, ...] = (
    Idiom(rule="home", pattern=r"^(?:my )?home is (?:now )?(?:in )?(?P<value>(?-i:[\p{Lu}\p{Han}]).+)$", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8),
    Idiom(rule="moved_in", pattern=r"^(?:(?:I|we)(?:'ve| have)? )?(?:just |recently )?moved in(?:to)? (?:a |an |our |my |the )?(?:new |first |own )*(?:flat|house|apartment|place|home|studio|cottage|condo) (?:in|near|on) (?P<value>(?-i:[\p{Lu}\p{Han}]).+)$", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True),
    Idiom(rule="cannot_have", pattern=r"^(?:I|we) (?:can't|cannot|can not|must not|mustn't|am not allowed to) (?:really )?(?:eat|have|drink|tolerate|digest|handle|stomach) (?P<value>.+)$", text="cannot have {v}", predicate="avoids", category="health", importance=0.8),
    Idiom(rule="sick_from", pattern=r"^(?P<value>[\w -]{2,30}?) (?:makes?|gives?) me (?:sick|ill|hives|a rash|migraines|headaches)$", text="gets ill from {v}", predicate="avoids", category="health", importance=0.8),
    Idiom(rule="has_no", pattern=rf"^(?:I|we)(?:'ve got| have(?: got)?)? no (?P<value>{_OWNED})$", text="has no {v}", predicate="has", category="family", stance=Stance.LACKS),
    Idiom(rule="had", pattern=r"^(?:I|we) used to (?:have|own) (?P<value>.+)$", text="used to have {v}", predicate="has", category="possession", stance=Stance.PAST),
    Idiom(rule="rather", pattern=r"^(?:I'd|I would|I'll|we'd) (?:always |much )?rather (?:have |take |use |drink |go by |travel by |get )?(?P<value>.+?) than (?P<old>.+)$", text="prefers {v} to {old}", predicate="prefers", category="preference"),
    Idiom(rule="rather", pattern=r"^(?:I'd|I would|we'd) (?:always |much )?(?:rather|sooner|prefer to) (?:have|take|use|drink|go by|travel by|sit (?:by|at|in)|get) (?P<value>.+)$", text="prefers {v}", predicate="prefers", category="preference", changes=True),
    Idiom(rule="no_more", pattern=r"^no more (?P<value>[\w -]{2,40})$", text="wants no more {v}", predicate="prefers", category="preference", stance=Stance.LACKS, changes=True),
    Idiom(rule="retired", pattern=r"^I(?:'ve| have)? (?:just |recently )?(?P<value>retired)\b.*$", text="is {v}", predicate="status", slot="status", category="work", changes=True),
    Idiom(rule="laid_off", pattern=r"^I(?:'ve| was| got|'m| have been| 've been)? (?:just |recently )?(?:been )?(?P<value>laid off|made redundant|fired)\b.*$", text="was {v}", predicate="status", category="work", changes=True),
    Idiom(rule="promoted", pattern=r"^I(?:'ve| was| got|'m| have been)? (?:just |recently )?(?:been )?promoted to (?:the )?(?P<value>.+)$", text="works as {v}", predicate="works_as", slot="occupation", category="work", changes=True),
    Idiom(rule="degree", pattern=r"^I(?:'m| am) (?:doing|finishing|pursuing|working on|studying for) (?:a|an|my) (?P<value>(?:phd|ph\.d\.|doctorate|masters?|master's|mba|bachelor's?|degree|ba|bsc|msc|diploma|apprenticeship)\b.*)$", text="is doing a {v}", predicate="studies", category="work"),
    Idiom(rule="started", pattern=r"^(?:I|we)(?:'ve| have)? (?:just |recently )?(?:started|begun) working (?:for|at|with) (?P<value>.+)$", text="works for {v}", predicate="works_for", slot="employer", category="work", changes=True),
    Idiom(rule="weighs", pattern=r"^I weigh (?:about |around )?(?P<value>\d+(?:\.\d+)?\s*(?:kg|kilos?|lbs?|pounds|stone)\b.*)$", text="weighs {v}", predicate="weight", slot="weight", category="person"),
    Idiom(rule="tall", pattern=r"^I(?:'m| am) (?P<value>\d+(?:\.\d+)?\s*(?:m|cm|metres|meters|feet|ft)(?:\s*\d+)?) tall$", text="is {v} tall", predicate="height", slot="height", category="person"),
    Idiom(rule="introduced", pattern=r"^(?:it's|this is) (?P<value>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)) (?:here|speaking|from [\w ]{2,30}|again)$", text="is called {v}", predicate="name", slot="name", category="person", importance=0.9),
    Idiom(rule="as_at", pattern=r"^I work (?:nights?|days|shifts?|part[- ]time|full[- ]time|freelance|remotely|weekends) (?:as|at|for) (?:an? )?(?P<value>.+)$", text="works as {v}", predicate="works_as", slot="occupation", category="work"),
    Idiom(rule="chewed", pattern=r"^(?:my|our|the) (?P<value>(?:dog|cat|puppy|kitten|son|daughter|kids?|toddler|baby) (?:chewed|broke|ate|scratched|dropped|spilled \w+ on|damaged|lost|hid) (?:my|our|the) [\w -]{2,40})$", text="says that the {v}", predicate="event", category="progress", importance=0.5),
    Idiom(rule="bank", pattern=r"^(?:I|we) (?:switched|changed) (?:banks?|providers?|energy suppliers?) to (?P<value>.+)$", text="switched to {v}", predicate="uses", category="possession", changes=True),
    Idiom(rule="shares", pattern=r"^(?:(?:my|our) [\w ]{2,30} and I|we|I) (?:share|rent|are renting|own|'re renting) (?:an? |the )?[\w -]{3,40} (?:in|near|outside) (?P<value>(?-i:[\p{Lu}\p{Han}]).+)$", text="lives in {v}", predicate="lives_in", slot="residence", category="home", importance=0.8),
    Idiom(rule="been_at", pattern=r"^I(?:'ve| have) been (?:at|with) (?P<value>(?-i:[\p{Lu}\p{Han}])[\w&. -]{1,40}?) (?:for|since)\b.*$", text="works at {v}", predicate="works_for", slot="employer", category="work", importance=0.7),
    Idiom(rule="now_at", pattern=r"^I'm (?:now )?(?:at|with) (?P<value>(?-i:[\p{Lu}\p{Han}])[\w&. -]{1,40}?) (?:now )?as (?:an? |the |their )?[\w -]{2,40}$", text="works at {v}", predicate="works_for", slot="employer", category="work", importance=0.7, changes=True),
    Idiom(rule="not_at", pattern=r"^I'm (?:not|no longer) (?:working )?(?:at|with|for) (?P<value>(?-i:[\p{Lu}\p{Han}])[\w&. -]{1,40}?)(?: anymore| any more| any longer| now)?$", text="no longer works at {v}", predicate="works_for", slot="employer", category="work", stance=Stance.ENDED, changes=True),
    Idiom(rule="does_for", pattern=r"^I do (?P<value>(?!not\b|my\b|the\b|that\b|it\b|this\b)(?:[\w-]+ ){1,3}(?:for|at) .+)$", text="does {v}", predicate="works_as", category="work"),
    Idiom(rule="started_learning", pattern=r"^I(?:'ve| have)? (?:just |recently )?(?:started|begun|began) (?:learning|studying|playing|taking(?= .+ (?:lessons|classes)$)) (?P<value>[\w' -]{2,40}?)(?: lessons| classes)?$", text="started learning {v}", predicate="studies", category="leisure", changes=True),
    Idiom(rule="expecting", pattern=r"^(?:I'm|we're|I am|we are) expecting (?P<value>(?:a|our|twins|my)\b.*)$", text="is expecting {v}", predicate="status", category="family", importance=0.8),
    Idiom(rule="does_not", pattern=r"^I (?:do not|don't) (?P<value>drink|smoke|drive|cook|eat meat|drink alcohol|use social media|own a car)(?: at all)?$", text="does not {v}", predicate="does", category="person", stance=Stance.LACKS),
    Idiom(rule="off", pattern=r"^I(?:'m| am) off (?P<value>dairy|sugar|gluten|meat|alcohol|caffeine|carbs|coffee|bread|cigarettes|sweets)$", text="is off {v}", predicate="avoids", category="health", changes=True),
    Idiom(rule="back_to", pattern=r"^I(?:'m| am) back (?:to|on) (?P<value>.+)$", text="is back to {v}", predicate="does", category="person", changes=True),
    Idiom(rule="separated", pattern=r"^(?:(?:my|our) [\w ]{2,30} and I|we|I)(?:'ve| have)? (?:just |recently )?(?P<value>separated|broke up|broken up|split up|divorced)\b.*$", text="{v}", predicate="status", category="family", changes=True),
    Idiom(rule="expires", pattern=r"^(?:my|our) (?P<value>(?:passport|visa|licen[cs]e|membership|contract|lease|insurance|warranty|subscription|permit|work permit) (?:expires|runs out|ends|renews|is up) (?:on|in|at) .+)$", text="has a {v}", predicate="expires", category="person"),
    Idiom(rule="budget", pattern=r"^(?:I|we) (?:can |could |had to |will |'ll )?(?:stretch|stretched|raised?|increased?|lowered|lower|cut|set|changed?) (?:the|my|our) budget (?:from .{1,20}? )?to (?P<value>.*\d.*)$", text="has a budget of {v}", predicate="budget", slot="budget", category="person", changes=True),
    Idiom(rule="time_zone", pattern=r"^I(?:'m| am) in the (?P<value>[\w/+ -]{2,30}?) time ?zone$", text="is in the time zone {v}", predicate="time_zone", slot="time zone", category="person"),
    Idiom(rule="raised", pattern=r"^I was (?:raised|brought up|baptised|baptized) (?:as )?(?:an? )?(?P<value>(?!in\b|by\b|on\b)[\w -]{3,30})$", text="was raised {v}", predicate="raised", category="person"),
    Idiom(rule="once", pattern=r"^I (?P<value>(?:majored in|minored in|served in|interned at|trained at|played for|competed in|founded|co-founded|emigrated from|was diagnosed with) .+)$", text="{v}", predicate="past", category="person"),
    Idiom(rule="exercise", pattern=r"^I (?P<value>(?:run|swim|cycle|meditate|pray|box|climb|ski|surf|row|hike|jog|exercise|train|journal|stretch|garden|bake|cook|paint|write|walk|coach|mentor)\b.*\b(?:every|times? a|daily|each|once a|twice a|weekly|\w+days?|mornings?|evenings?|weekends?|team|class)\b.*)$", text="{s}", predicate="does", category="leisure"),
    Idiom(rule="habit", pattern=r"^I (?P<adverb>always|usually|normally|typically|generally|only|never) (?P<value>(?!(?:think|wonder|wondered|forget|forgot|get|feel|felt|have|had|want|wanted|say|said|thought|knew|know|try|seem|end|miss|hope|believe|need|was|am|did|do|heard|found|saw|got|been|went|lived|worked|liked|loved|used|lose|lost|ask|asked|mean|meant|said|told|tell|understand|understood|noticed|expected|remember|learned|met|came|made|took|give|gave|read)\b)[a-z]+ .+)$", text="{adverb} {s}", predicate="does", category="preference"),
    Idiom(rule="pronouns", pattern=r"^(?:I use|I go by) (?P<value>(?:she|he|they)(?:/\w+){1,2})(?: pronouns)?$", text="uses the pronouns {v}", predicate="pronouns", slot="pronouns", category="person"),
)  # fmt: skip
_COMPILED = tuple((idiom, regex.compile(idiom.pattern, regex.I)) for idiom in IDIOMS)


def _in_third_form(said: str) -> str:
    """Return words that begin with a verb as somebody else says them: run daily becomes runs daily."""
    verb, _, rest = said.partition(" ")
    ending = "es" if regex.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s"
    plain = f"{verb[:-1]}ies" if regex.search(r"[^aeiou]y$", verb) else f"{verb}{ending}"
    return f"{'has' if verb == 'have' else plain} {rest}".strip()


_LAST = {"habit", "exercise"}
_AT_PRESENT = regex.compile(r"\s+(?:these days|nowadays|now|at the moment|lately|currently)$", regex.I)


def idioms(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says in one of these ways."""
    yield from _read(clause, said_at, last=False)


def customs(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says somebody always or regularly does, where no other rule knows the verb."""
    yield from _read(clause, said_at, last=True)


def _read(clause: str, said_at: datetime, *, last: bool) -> Iterator[Statement]:
    for idiom, pattern in _COMPILED:
        if (idiom.rule in _LAST) is not last:
            continue
        found = pattern.match(clause) or pattern.match(_AT_PRESENT.sub("", clause))
        if found is None:
            continue
        dated = idiom.rule in {"expires", "expecting"}
        value, since = (found["value"], None) if dated else without_time(found["value"], said_at)
        value, old = cut(value), cut(found.groupdict().get("old") or "")
        if not value or (idiom.rule == "had" and not is_owned(value)):
            return
        if idiom.rule in {"home", "moved_in"}:
            value = regex.split(r"\s+(?:with|for|and)\s+", value, maxsplit=1)[0]
        text = idiom.text.replace("{v}", in_third_person(value)).replace("{old}", in_third_person(old))
        text = text.replace("{s}", _in_third_form(in_third_person(value)))
        text = text.replace("{adverb}", (found.groupdict().get("adverb") or "").lower())
        yield Statement(
            text="{who} " + text.replace("{", "").replace("}", ""),
            predicate=idiom.predicate,
            value=value,
            rule=f"en.{idiom.rule}",
            stance=idiom.stance,
            slot=idiom.slot,
            category=idiom.category,
            importance=idiom.importance,
            replaces=key_of(old) if old else "",
            changes=idiom.changes,
            may_be_hedged=idiom.rule == "rather",
            valid_from=since,
        )
        return
