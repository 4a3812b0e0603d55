"""I have two kids; we've got a dog called Rex; I bought a Canon R6; I sold my car; I don't have a licence."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.english.attributes import FAMILY, PET
from consolidation.rules.english.habits import ADVERB, without_time
from consolidation.rules.english.ownable import is_owned
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person

_ONE_OFF = regex.compile(
    r"^(?:(?:a|an|the|some|any|no|another|one|two|three|few|couple|lot|lots|many|several|more|much|my|this|that|these|other|quick|small|big|"
    r"little|bit|weird|strange|good|bad|great|hard|new|serious|similar|follow-up|of|long|busy|important|early|late|tough|rough|nice|lovely|real|huge)\s+)*"
    r"(?:questions?|problems?|issues?|ideas?|meetings?|feelings?|headaches?|cold|flu|plans?|look|chance|time|doubts?|favou?r|thoughts?|requests?|guess|"
    r"points?|appointments?|calls?|deadlines?|trouble|fun|day|days|morning|night|week|weekend|afternoon|evening|moment|minute|mins|second|hour|hours|sense|clue|reason|reasons|choice|options?|"
    r"access|admin|permissions?|rights?|privileges?|authority|news|experience|luck|hope|fear|need|everything|nothing|something|anything|it|them|one|ones|"
    r"that|this|to|been|had|no|not|never|tried|done|seen|got|gone|made|heard|read|found|decided|noticed|reset|just|already|always|also|used|"
    r"breakfast|lunch|dinner|coffee|tea|drink|snack|dream|nightmare|crush|go|try|nap|rest|break|chat|word|talk|conversation|argument|fight|suggestions?|"
    r"update|updates|complaint|error|errors|bug|bugs|interview|exam|test|flight|guests?|visitors?|party|date|reservation|order|tickets?|impression|blast|laugh|cry|stuff|thing|things|work|homework|mind)\b",
    regex.I,
)
_KIN = regex.compile(
    rf"^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|no|any|twin)\s+(?:[\w-]+\s+){{0,2}}(?:{FAMILY}|{PET})s?\b|"
    r"\b(?:asthma|diabetes|epilepsy|arthritis|migraines?|eczema|adhd|autism|anxiety|depression|hypertension|high blood pressure|low blood pressure|celiac|coeliac|allerg\w+|"
    r"ibs|insomnia|tinnitus|anaemia|anemia|cancer|glaucoma|psoriasis|sciatica|gout|lupus|osteoporosis|hypothyroidism|crohn's|hay fever|sleep apnoea|sleep apnea|a pacemaker|vertigo|rosacea)\b",
    regex.I,
)
_CONDITION = regex.compile(
    r"\b(?:asthma|diabetes|epilepsy|arthritis|migraines?|eczema|adhd|autism|anxiety|depression|hypertension|blood pressure|celiac|coeliac|allerg\w+|ibs|insomnia|tinnitus|"
    r"an(?:a)?emia|cancer|glaucoma|psoriasis|sciatica|gout|lupus|osteoporosis|hypothyroidism|crohn's|hay fever|apn(?:o)?ea|pacemaker|vertigo|rosacea|intolerance|condition|disorder|syndrome|disease)\b",
    regex.I,
)
_FAMILY = regex.compile(rf"\b(?:{FAMILY})s?\b", regex.I)

_NEVER = regex.compile(r"^(?:I|we)(?:'ve|\s+have)?\s+never\s+(?:had|owned|got)\s+(?P<value>.+)$", regex.I)
_LACKS = regex.compile(
    r"^(?:I|we)\s+(?:do not|don't|haven't got|have not got)\s+(?:really\s+|actually\s+)?(?:have\s+|own\s+)?(?P<value>(?:an?|any)\s+.+?)(?P<after>\s+(?:anymore|any more|any longer|now))?$",
    regex.I,
)
_HOLDS = regex.compile(
    rf"^(?:(?:I|we)\s+{ADVERB}have(?:\s+got)?|(?:I've|we've|I\s+have|we\s+have)\s+{ADVERB}got|we\s+{ADVERB}have)\s+(?P<value>.+)$",
    regex.I,
)
_BRIEF = regex.compile(r"^(?:I've|we've)\s+(?P<value>(?:an?|one|two|three|four|five|\d+)\s+.+)$", regex.I)
_GOT = regex.compile(
    rf"^(?:(?:I|we)(?:'ve|\s+have)?\s+{ADVERB}(?:just\s+)?)(?P<how>bought|adopted|got(?!\s+(?:to|a\s+(?:call|message|email|reply|refund|new\s+error))\b)|purchased|acquired|ordered|leased|welcomed|picked up)\s+"
    r"(?:me\s+|myself\s+|ourselves\s+|a\s+new\s+)?(?P<value>(?:an?|two|three|another|new|\d+|(?-i:[\p{Lu}\p{Han}]))\b.*)$",
    regex.I,
)
_LOST = regex.compile(
    r"^(?:(?:I|we)(?:'ve|\s+have)?\s+(?:just\s+|recently\s+|finally\s+|already\s+)?)(?P<how>sold|gave away|given away|got rid of|gotten rid of|donated|scrapped|cancelled|canceled|returned|ditched|dropped)\s+"
    r"(?P<value>(?:my|our|the)\s+.+)$",
    regex.I,
)


def having(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says of what the speaker has, came by, or gave up."""
    for pattern, stance in _HAD:
        found = pattern.match(clause)
        if found is not None:
            ended = stance is Stance.LACKS and bool(found["after"])
            yield from _kept(found["value"], Stance.ENDED if ended else stance, said_at)
            return
    for pattern in (_GOT, _LOST):
        found = pattern.match(clause)
        if found is not None:
            yield from _turned(found, said_at, lost=pattern is _LOST)
            return


_HAS_HAD = regex.compile(
    r"^(?:I|we)(?:'ve|\s+have)\s+(?:always\s+)?had\s+(?P<value>.+?)\s+(?:since|for|all my|ever since)\b.*$", regex.I
)
_NO_LONGER = regex.compile(r"^(?:I|we)\s+no longer\s+(?:have|own)\s+(?P<value>.+)$", regex.I)
_HAD = (
    (_NO_LONGER, Stance.ENDED),
    (_HAS_HAD, Stance.HOLDS),
    (_NEVER, Stance.NEVER),
    (_LACKS, Stance.LACKS),
    (_HOLDS, Stance.HOLDS),
    (_BRIEF, Stance.HOLDS),
)
_DONE = regex.compile(r"\w+(?:ed|wn|ght|oken|ound)\b", regex.I)
"""What follows "I have" in the perfect tense."""


def _kept(said: str, stance: Stance, said_at: datetime) -> Iterator[Statement]:
    value, since = without_time(said, said_at)
    value = cut(value)
    if value and not _ONE_OFF.match(value) and not _DONE.match(value) and (_KIN.search(value) or is_owned(value)):
        yield _had(value, stance, since)


def _turned(found: "regex.Match[str]", said_at: datetime, *, lost: bool) -> Iterator[Statement]:
    value, since = without_time(found["value"], said_at)
    value = cut(value)
    if value and not _ONE_OFF.match(value) and is_owned(value):
        stance, verb = (Stance.ENDED, "has") if lost else (Stance.HOLDS, _came_by(found["how"]))
        yield _had(value, stance, since, changes=True, verb=verb)


def _came_by(how: str) -> str:
    how = how.lower()
    return how if how in {"bought", "adopted", "purchased", "ordered", "leased"} else "has"


def _had(
    value: str, stance: Stance, since: datetime | None, *, changes: bool = False, verb: str = "has"
) -> Statement:
    said = in_third_person(value)
    text = {
        Stance.HOLDS: f"{verb} {said}",
        Stance.LACKS: f"does not have {said}",
        Stance.ENDED: f"no longer has {said}",
        Stance.NEVER: f"never had {said}",
        Stance.PAST: f"used to have {said}",
    }[stance]
    condition, family = _CONDITION.search(value), _FAMILY.search(value)
    return Statement(
        text="{who} " + text.replace("{", "").replace("}", ""),
        predicate="has_condition" if condition else "has_family" if family else "has",
        value=value,
        rule="en.has",
        stance=stance,
        category="health" if condition else "family" if family else "possession",
        importance=0.8 if condition else 0.6 if family else 0.5,
        changes=changes,
        valid_from=since,
    )
