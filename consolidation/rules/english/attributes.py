"""My name is Ada; my wife's birthday is 3 May; my budget is now £3,000; my hub runs firmware 2.3.1."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.english.habits import without_time
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, ended, in_third_person

FAMILY = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|mother|mom|mum|father|dad|parents?|sister|brother|son|daughter|kids?|child(?:ren)?|twins?|"
    r"grandmother|grandma|grandfather|grandpa|aunt|uncle|niece|nephew|cousin|mother-in-law|father-in-law|(?:older|younger|elder|eldest|youngest|little|big|twin|step|half)[- ](?:sister|brother|son|daughter))"
)
_HOUSEHOLD = regex.compile(
    r"wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|son|daughter|kids?|child(?:ren)?|twins?|(?:eld(?:er|est)|young(?:er|est)|old(?:er|est))[- ](?:son|daughter)|dog|cat|puppy|kitten|pet",
    regex.I,
)
"""Whose homes, work and tastes are told as part of the speaker's life; of others only names, ages and allergies are, unless
they are spoken of by name."""
PET = r"(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|budgie|horse|pony|tortoise|goldfish|pet|ferret|guinea pig|snake|lizard)"
_DEVICE = (
    r"(?:[\w-]+\s+){0,3}?(?:hub|router|phone|iphone|laptop|computer|pc|desktop|macbook|tablet|ipad|printer|camera|tv|television|watch|server|database|cluster|car|bike|bicycle|"
    r"thermostat|speaker|headphones|monitor|keyboard|console|bulbs?|lights?|lamp|sensor|firmware|app|browser|os|operating system|editor|nas|modem|vacuum|doorbell|lock|van|truck|motorbike)"
)
_FACTS = (
    r"(?:first |last |full |middle |nick|maiden |preferred |legal |user)?name|surname|birthday|date of birth|dob|age|height|weight|blood type|shoe size|ring size|dress size|"
    r"(?:email|e-mail)(?: address)?|phone(?: number)?|mobile(?: number)?|cell(?: number| phone number)?|telephone(?: number)?|whatsapp(?: number)?|(?:home |postal |mailing |work |shipping |delivery |new )?address|"
    r"post ?code|zip ?code|job(?: title)?|title|profession|occupation|role|employer|company|boss|manager|team|department|salary|(?:(?!new|current)[a-z-]+ )?(?:rent|mortgage|pension|tuition|pocket money)|budget|deadline|time ?zone|native language|mother tongue|first language|nationality|"
    r"hometown|home town|pronouns|religion|star sign|doctor|dentist|therapist|gym|bank|(?:car )?insurer|insurance|school|university|major|degree|hobby|hobbies|goal|plan|subscription|membership|"
    r"commute|anniversary|wedding(?: date| anniversary)?|due date|flight|licen[cs]e plate|number plate|account number|customer number|order number|ticket number|frequent flyer number|member(?:ship)? number|seat preference|"
    r"allerg(?:y|ies)|medication|condition|diet|favou?rite [\w -]{2,30}|preferred [\w -]{2,30}|usual [\w -]{2,30}|go-to [\w -]{2,30}|default [\w -]{2,30}"
)
_OWNER = rf"(?:(?P<owner>{FAMILY}|{PET})(?:'s)\s+)?"
_NOW = r"(?P<now>\s+(?:now|currently|still|actually|has changed to|changed to|just became))?"
_IS = r"(?:'s|\s+is|\s+are|\s+has\s+(?:gone up|been raised|been changed|increased|changed|dropped|gone down|been cut|moved)\s+to|\s+(?:changed|went|moved|rose|dropped|fell)(?:\s+up|\s+down)?(?:\s+from\s+[^\s,]+(?:\s\w+)?)?\s+to|\s+was\s+(?:raised|changed|cut|increased|moved)\s+to|:)"

_ATTRIBUTE = regex.compile(
    rf"^(?:my|our)\s+(?P<new>new\s+|current\s+)?{_OWNER}(?P<what>{_FACTS})(?:\s+(?:for|of)\s+(?:the|this|that|my|our)\s+[\w -]{{2,25}}?)?{_IS}{_NOW}\s+(?P<value>.+)$",
    regex.I,
)
_RELATIVE = regex.compile(
    rf"^(?:my|our)\s+(?P<owner>{FAMILY}|{PET})(?:,?\s+(?P<named>(?-i:[\p{{Lu}}\p{{Han}}])[\w'-]+),?)?\s+(?P<said>is called|'s called|is named|'s named|are called|are named|is allergic to|has|works (?:as|for|at|in)|lives in|is an?|'s an?|is|turns|turned|was born (?:on|in)|likes|loves|hates)\s+(?P<value>.+)$",
    regex.I,
)
_DEVICE_IS = regex.compile(
    rf"^(?:my|our|the)\s+(?P<what>{_DEVICE})\s+(?P<said>is now|is|runs|is running|is on|uses|has been updated to|was updated to|was upgraded to|has|shows|is showing|reports)\s+(?P<value>.+)$",
    regex.I,
)
_VALUED = regex.compile(
    r"\d|^(?:a|an|the)\s+[A-Z\d]|^[A-Z][\w-]+(?:\s+[A-Z\d][\w.-]*)*$|^(?:red|blue|green|black|white|silver|grey|gray|yellow|orange|purple|pink|brown)$"
)
_SECRET = regex.compile(
    r"\b(?:password|passcode|pin|cvv|ssn|social security|secret|token|api key|card number)\b", regex.I
)
_TRANSIENT = regex.compile(
    r"^(?:not|no|n't|the same|fine|good|great|bad|ok|okay|here|there|gone|late|busy|sick|ill|tired|broken|dead|ready|done|back|away|coming|going|very|so|too|also|always|still|really|pretty|"
    r"full|empty|great|nice|amazing|awesome|terrible|driving|making|getting|being|having|asking|wondering|up|down|off|on|out|in|at|with|from|about|under|over|visiting|staying|worried|happy|sad|upset|angry|mad|lost|stuck|slow|weird|acting|doing|a bit|kind of|"
    r"only|just|that|this|what|when|why|how|because|something|someone|anything|a secret|private|a (?:bit|little|great|good|bad|nice|nightmare|pain|mess|problem|question))\b",
    regex.I,
)
_SLOTS = {
    "e-mail": "email", "email address": "email", "e-mail address": "email", "phone number": "phone", "mobile": "phone", "mobile number": "phone",
    "cell": "phone", "cell number": "phone", "cell phone number": "phone", "telephone": "phone", "telephone number": "phone", "date of birth": "birthday", "dob": "birthday",
    "full name": "name", "job title": "occupation", "job": "occupation", "title": "occupation", "profession": "occupation", "role": "occupation", "company": "employer",
    "home address": "address", "new address": "address", "postal address": "address", "mailing address": "address", "timezone": "time zone", "boss": "manager",
    "hometown": "origin", "home town": "origin",
}  # fmt: skip
_DIGITS_MIN = 5
_MANY = {
    "allergy",
    "allergies",
    "hobby",
    "hobbies",
    "medication",
    "goal",
    "plan",
    "condition",
    "flight",
    "order number",
    "ticket number",
}


def attributes(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says with "my … is …"."""
    if _SECRET.search(clause):
        return
    found = _ATTRIBUTE.match(clause)
    if found is not None:
        yield from _attribute(found, said_at)
        return
    found = _RELATIVE.match(clause)
    if found is not None:
        yield from _relative(found, said_at)
        return
    found = _DEVICE_IS.match(clause)
    if found is not None:
        yield from _device(found, said_at)


def _attribute(found: "regex.Match[str]", said_at: datetime) -> Iterator[Statement]:
    what, owner = " ".join(found["what"].lower().split()), (found["owner"] or "").lower()
    value, since = found["value"], None
    if not regex.search(r"birth|dob|date|anniversary|deadline|wedding|age", what):
        value, since = without_time(value, said_at)
    if regex.search(r"birth|date|anniversary|deadline|wedding", what):
        value = regex.sub(r"^(?:on|in|at)\s+(?:the\s+)?", "", value, flags=regex.I)
    value = ended(value) if what.endswith("address") and "@" not in value else cut(value)
    if not value or _TRANSIENT.match(value):
        return
    slot = None if what in _MANY else _SLOTS.get(what, what)
    if slot == "phone" and sum(map(str.isdigit, value)) < _DIGITS_MIN:
        slot = "device phone"  # what it is, not its number
    whose = f"{owner}'s " if owner else ""
    predicate = (slot or what).replace(" ", "_")
    verb = "are" if what in {"pronouns", "allergies", "hobbies"} else "is"
    yield Statement(
        text=f"{{who}}'s {whose}{what} {verb} {in_third_person(value)}",
        predicate=f"{owner}_{predicate}".strip("_") if owner else predicate,
        value=value,
        rule="en.attribute",
        slot=f"{owner} {slot}".strip() if slot else None,
        category="preference"
        if what.startswith(("favo", "prefer", "usual", "go-to", "default", "seat"))
        else "family"
        if owner
        else "person",
        importance=0.8 if slot in {"name", "email", "phone", "address", "birthday"} else 0.6,
        changes=bool(found["now"] or found["new"] or regex.search(r"\b(?:now|these days)$", found.string))
        or not regex.search(r"(?:'s|\sis|\sare|:)\s", found[0]),
        valid_from=since,
    )


_NAMING = {
    "is called": "called",
    "'s called": "called",
    "is named": "called",
    "'s named": "called",
    "are called": "called",
    "are named": "called",
}


def _relative(found: "regex.Match[str]", said_at: datetime) -> Iterator[Statement]:
    """Yield what is said of family and pets, which is about them and not about the speaker."""
    owner, said = found["owner"].lower(), found["said"].lower()
    value, since = without_time(found["value"], said_at)
    value = cut(value)
    naming = said in _NAMING
    if not value or (not naming and _TRANSIENT.match(value)):
        return
    if (
        said.startswith(("lives", "works", "likes", "loves", "hates", "is a", "'s a"))
        and not _HOUSEHOLD.fullmatch(owner)
        and not found["named"]
        and "allergic" not in said
    ):
        return
    if said in {"is", "has"} and not regex.search(
        r"\d|allerg|asthma|diabet|years old|celiac|autis|adhd|vegan|vegetarian|pregnant|arthritis|epilep",
        value,
        regex.I,
    ):
        return
    if said in {"likes", "loves", "hates", "turned", "turns"} and len(value.split()) > len(["a", "b", "c", "d"]):
        return
    named = f" {found['named']}" if found["named"] else ""
    plural = owner.endswith(("s", "children"))
    how = ("are called" if plural else "is called") if naming else said.replace("'s ", "is ")
    yield Statement(
        text=f"{{who}}'s {owner}{named} {how} {in_third_person(value)}",
        predicate=f"{owner}_{'name' if naming else how.replace(' ', '_')}",
        value=value,
        rule="en.relative",
        slot=f"{owner} name"
        if naming and owner not in {"kids", "children", "dog", "cat", "sister", "brother", "son", "daughter", "pet"}
        else None,
        category="family",
        importance=0.7,
        valid_from=since,
    )


def _device(found: "regex.Match[str]", said_at: datetime) -> Iterator[Statement]:
    what, said = " ".join(found["what"].split()), found["said"].lower()
    value, since = without_time(found["value"], said_at)
    value = cut(value)
    if (
        not value
        or _TRANSIENT.match(value)
        or not _VALUED.search(value)
        or (said in {"shows", "is showing", "reports", "has"} and not regex.search(r"\d", value))
    ):
        return
    version = regex.search(r"\bv?\d+(?:\.\d+)+\b", value)
    error = regex.search(r"\berror\b|\b[A-Z]{1,4}-?\d{3,}\b|\b0x[0-9A-Fa-f]+\b", value)
    how = (
        "runs"
        if said in {"is running", "is on", "runs", "has been updated to", "was updated to", "was upgraded to"}
        else "shows"
        if error
        else "is"
        if said in {"is", "is now"}
        else said
    )
    yield Statement(
        text=f"{{who}}'s {in_third_person(what)} {how} {in_third_person(value)}",
        predicate="error" if error else "version" if version else "device",
        value=value,
        rule="en.device",
        slot=None if error else f"version {what.lower()}" if version else f"device {what.lower()}",
        stance=Stance.HOLDS,
        category="possession",
        ttl_days=90 if error else None,
        changes=bool(regex.search(r"\b(?:now|updated|upgraded)\b", said)),
        valid_from=since,
    )
