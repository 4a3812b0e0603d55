"""I am a nurse; I'm allergic to peanuts; I am no longer vegetarian; I'm 34 years old."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.english.habits import ADVERB, habits, without_time
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person

_BE = (
    rf"^(?:I'm|we're|(?:I|we)\s+(?:am|are|'m)|(?:I've|I\s+have)\s+(?:recently\s+)?(?:become|been|turned|gone)|I\s+(?:just\s+|recently\s+)?(?:became|turned|went))\s+"
    rf"(?P<not>not\s+|no longer\s+|never\s+)?{ADVERB}"
)
_AFTER = r"(?P<after>\s+(?:anymore|any more|any longer|now))?"
_DIET = (
    r"(?:strict\s+|mostly\s+|lifelong\s+)?(?:vegetarian|vegan|pescatarian|flexitarian|lactose[- ]intolerant|gluten[- ]intolerant|gluten[- ]free|dairy[- ]free|"
    r"celiac|coeliac|teetotal|halal|kosher|on a (?:low-carb|keto|vegan|vegetarian|gluten-free|low-sodium|low-salt|diabetic) diet)"
)
_BODY = (
    r"(?:type [12] )?(?:diabetic|asthmatic|epileptic|anaemic|anemic|pregnant|deaf|blind|partially sighted|hard of hearing|colou?r[- ]?blind|"
    r"left[- ]handed|right[- ]handed|dyslexic|autistic|hypertensive|insulin[- ]dependent|wheelchair[- ]bound|in a wheelchair|short-sighted|near-sighted|insomniac)"
)
_LIFE = r"(?:happily |recently |newly )?(?:married|single|divorced|widowed|engaged|separated|retired|unemployed|self-employed|freelance|freelancing|semi-retired)"
_NOT_A_JOB = (
    r"^(?:bit|little|lot|fan|big|huge|member|user|customer|person|man|woman|guy|girl|boy|human|mess|bad|good|great|terrible|bot|robot|fool|failure|"
    r"regular|long|new|happy|sad|tired|believer|sucker|sort|kind|couple|few|while|day|night|morning|early|late|light|heavy|fast|slow|quick|visual|picky|complete|total|"
    r"true|real|loyal|frequent|subscriber|client|patient|tad|genius|idiot|moron|ghost|wizard|king|queen|god|foodie|lazy|busy|admin\w*|root|superuser|developer of this|"
    r"beginner|newbie|noob|novice|wreck|disaster|step|fraid|native speaker|shadow)\b"
    r"|\b(?:mum|mom|mother|dad|father|parent|grand\w+|widow|widower|twin|sister|brother|wife|husband|aunt|uncle|vegan|vegetarian|migrant|citizen|resident|homeowner|tenant|renter)$"
)
_COUNTRY = (
    r"(?:american|british|english|scottish|welsh|irish|french|german|spanish|italian|portuguese|dutch|belgian|swiss|austrian|swedish|norwegian|danish|finnish|polish|"
    r"czech|greek|turkish|russian|ukrainian|chinese|japanese|korean|indian|pakistani|bangladeshi|thai|vietnamese|indonesian|malaysian|singaporean|filipino|australian|"
    r"canadian|mexican|brazilian|argentinian|chilean|colombian|peruvian|nigerian|kenyan|ghanaian|egyptian|moroccan|south african|iranian|iraqi|israeli|lebanese|"
    r"hungarian|romanian|bulgarian|croatian|serbian|jewish|muslim|christian|catholic|buddhist|hindu|atheist)"
)

_SHAPES: tuple[tuple[str, str, str, str | None, str, str, float], ...] = (
    # rule, what follows "I am", predicate, slot, text after "is", category, importance
    ("allergic", r"(?:\w+ly\s+)?allergic\s+to\s+(?P<value>.+)", "allergic_to", None, "allergic to {v}", "health", 0.9),
    ("intolerant", r"intolerant\s+(?:to|of)\s+(?P<value>.+)", "allergic_to", None, "intolerant to {v}", "health", 0.9),
    ("diagnosed", r"diagnosed\s+with\s+(?P<value>.+)", "has_condition", None, "diagnosed with {v}", "health", 0.9),
    ("medicated", r"(?:on|taking)\s+(?P<value>(?:[\w-]+\s+){0,3}(?:\d+\s?mg|medication|medicine|insulin|antibiotics|blood thinners?|statins?|antidepressants?|metformin|warfarin|[\w]+(?:pril|olol|statin|azole|mycin|formin|parin))\b.*)", "takes", None, "taking {v}", "health", 0.8),
    ("diet", rf"(?:an?\s+)?(?P<value>{_DIET}){_AFTER}$", "diet", "diet", "{v}", "health", 0.8),
    ("body", rf"(?:an?\s+)?(?P<value>{_BODY}){_AFTER}(?:\s.*)?$", "has_condition", None, "{v}", "health", 0.8),
    ("life", rf"(?P<value>{_LIFE})(?:\s+again)?(?:\s+(?:to|with)\s+(?P<whom>.+))?{_AFTER}$", "status", "status", "{v}", "family", 0.7),
    ("age", r"(?P<value>\d{1,3})(?:\s*(?:years?\s+old|yo|y/o))?$", "age", "age", "{v} years old", "person", 0.6),
    ("height", r"(?P<value>\d+(?:\.\d+)?\s*(?:cm|m|feet|ft|foot)(?:\s*\d+)?(?:\s*tall)?|\d'\d+\"?)$", "height", "height", "{v}", "person", 0.5),
    ("from", r"(?:originally\s+)?from\s+(?P<value>(?-i:[\p{Lu}\p{Han}]).+)", "comes_from", "origin", "from {v}", "person", 0.6),
    ("nationality", rf"(?P<value>(?:half[- ])?{_COUNTRY}(?:[- ]{_COUNTRY})?)(?:\s+by\s+\w+)?$", "nationality", None, "{v}", "person", 0.6),
    ("fan", r"(?:an?\s+)?(?:big|huge|massive|great|avid|lifelong|long-time|total|real)?\s*fan\s+of\s+(?P<value>.+)", "likes", None, "a fan of {v}", "preference", 0.5),
    ("keen", r"(?:into|fond\s+of|keen\s+on|crazy\s+about|passionate\s+about|mad\s+about|obsessed\s+with|addicted\s+to|a\s+sucker\s+for)\s+(?P<value>.+)", "likes", None, "fond of {v}", "preference", 0.5),
    ("learning", r"(?:learning|studying(?!\s+in\s)|training\s+(?:for|to\s+be|as))\s+(?P<value>.+)", "studies", None, "learning {v}", "work", 0.5),
    ("based", r"(?:based|located|settled|situated|staying)\s+(?:in|near|at|out\s+of)\s+(?P<value>.+)", "lives_in", "residence", "based in {v}", "home", 0.8),
    ("afraid", r"(?:\w+ly\s+)?(?:afraid|scared|terrified|frightened)\s+of\s+(?P<value>.+)", "fears", None, "afraid of {v}", "person", 0.6),
    ("using", r"(?:running|on)\s+(?P<value>(?:windows|macos|mac os|ubuntu|debian|fedora|arch|linux|android|ios|ipados|postgres(?:ql)?|python|node|django|firmware|version|chrome|firefox|safari|the\s+\w+\s+plan|(?-i:[A-Z])[\w+#]*(?:\s(?-i:[A-Z])[\w+#]*)?\s+v?\d+(?:\.\d+)*)\b.*)", "uses", None, "using {v}", "possession", 0.5),
    ("called", r"(?:called|known\s+as|named)\s+(?P<value>(?-i:[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*){0,3}))$", "name", "name", "called {v}", "person", 0.9),
    ("married", r"married\s+to\s+(?P<value>.+)", "married_to", None, "married to {v}", "family", 0.7),
    ("job", r"(?:an?)\s+(?P<value>[a-zA-Z][\w'/-]*(?:\s+[\w'/&-]+){0,7})$", "works_as", "occupation", "a {v}", "work", 0.7),
    ("role", r"(?:the)\s+(?P<value>(?:head|director|manager|ceo|cto|cfo|coo|founder|co-founder|lead|owner|chair|president|vice president|vp|principal|editor|curator|captain)\b.*)", "works_as", "occupation", "the {v}", "work", 0.7),
)  # fmt: skip
_PATTERNS = tuple((shape, regex.compile(rf"{_BE}{shape[1]}", regex.I)) for shape in _SHAPES)
_ANY_MORE = regex.compile(r"^(I'm|I am|we're|we are)\s+not\s+(.+?)\s+(?:anymore|any more|any longer)$", regex.I)
_NAME = regex.compile(r"^(?:I'm|I am)\s+(?P<value>[A-Z][a-z]+(?:\s+[A-Z][a-z]+){0,2})$")
_APPOSED = regex.compile(
    r"^(?:I'm|I am|my name is|this is)\s+(?P<name>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?),\s+(?:(?P<age>\d{1,2})(?:\s+years old)?,\s+(?:and\s+)?)?(?P<rest>(?:an?|the|living|working|based|from|originally)\s+.+)$"
)
_NO_NAME = regex.compile(
    rf"^(?:{_COUNTRY}|{_DIET}|{_BODY}|{_LIFE}|sorry|sure|fine|ok|okay|good|great|happy|sad|tired|busy|here|back|ready|done|glad|afraid|new|home|late|early)$",
    regex.I,
)


def states(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says with "I am"."""
    apposed = _APPOSED.match(clause)
    if apposed is not None:
        yield from _introduced(apposed, said_at)
        return
    clause = _ANY_MORE.sub(r"\1 no longer \2", clause)
    bare, when = without_time(clause, said_at)
    head = bare.split(", ", maxsplit=1)[0]
    for shape, pattern in _PATTERNS:
        found = pattern.match(clause) or pattern.match(bare) or pattern.match(head)
        value, since = without_time(found["value"], said_at) if found is not None else ("", None)
        value = cut(value)
        if found is None or not value or (shape[0] == "job" and regex.search(_NOT_A_JOB, value, regex.I)):
            continue
        since = since or when
        if shape[0] == "job":
            where = list(_where(value, since))
            value = where[-1].value if where else value
            yield from where[:-1]
        rule, _, predicate, slot, text, category, importance = shape
        yield _state(found, rule, predicate, slot, text, category, importance, value, since)
        return
    named = _NAME.match(clause)
    if named is not None and not _NO_NAME.match(named["value"]):
        yield _named(named["value"])


def _introduced(found: "regex.Match[str]", said_at: datetime) -> Iterator[Statement]:
    """Yield what somebody says who gives a name and goes on: "I'm Daniel, 29, living in Lisbon"."""
    yield _named(found["name"])
    if found["age"]:
        yield Statement(
            text=f"{{who}} is {found['age']} years old",
            predicate="age",
            value=found["age"],
            rule="en.age",
            slot="age",
            category="person",
        )
    rest = f"I'm {found['rest']}"
    yield from list(states(rest, said_at)) or habits(rest, said_at)


def _named(name: str) -> Statement:
    return Statement(
        text=f"{{who}} is called {name}",
        predicate="name",
        value=name,
        rule="en.name",
        slot="name",
        category="person",
        importance=0.9,
    )


_AT = regex.compile(r"(.+?)\s+(?:at|for|with)\s+([A-Z].+)$")
_BASED = regex.compile(r"(.+?),?\s+(?:based|living|working)\s+(?:in|out of|near)\s+([A-Z].+)$")
_IN = regex.compile(r"(.+?)\s+(?:in|from|based in)\s+([A-Z].+)$")


def _where(value: str, since: datetime | None) -> Iterator[Statement]:
    """Yield what a job's name says of where: employer or home, and last the job itself; nothing where it says none."""
    if found := _AT.match(value):
        yield Statement(
            text=f"{{who}} works for {found[2]}",
            predicate="works_for",
            value=found[2],
            rule="en.employer",
            slot="employer",
            category="work",
            importance=0.7,
            valid_from=since,
        )
    elif found := _BASED.match(value):
        yield Statement(
            text=f"{{who}} lives in {found[2]}",
            predicate="lives_in",
            value=found[2],
            rule="en.based",
            slot="residence",
            category="home",
            importance=0.8,
            valid_from=since,
        )
    else:
        found = _IN.match(value)
    if found is not None:
        yield Statement(text="", predicate="works_as", value=found[1], rule="en.job")


def _state(
    found: "regex.Match[str]",
    rule: str,
    predicate: str,
    slot: str | None,
    text: str,
    category: str,
    importance: float,
    value: str,
    since: datetime | None,
) -> Statement:
    negation = (found["not"] or "").strip().lower()
    after = (found.groupdict().get("after") or "").strip().lower()
    stance, verb = Stance.HOLDS, "is"
    if negation == "no longer" or (negation == "not" and after not in {"", "now"}):
        stance, verb = Stance.ENDED, "is no longer"
    elif negation == "never":
        stance, verb = Stance.NEVER, "was never"
    elif negation:
        stance, verb = Stance.LACKS, "is not"
    said = in_third_person(value)
    if rule == "job" and said[:1].lower() in "aeiou" and text == "a {v}":
        text = "an {v}"
    whole = text.replace("{v}", said).replace("{", "").replace("}", "")
    return Statement(
        text=f"{{who}} {verb} {whole}",
        predicate=predicate,
        value=value,
        rule=f"en.{rule}",
        stance=stance,
        slot=slot,
        category=category,
        importance=importance,
        changes=bool(regex.search(r"\b(?:now|become|became|turned|no longer|gone)\b", found.string, regex.I)),
        valid_from=since,
    )
