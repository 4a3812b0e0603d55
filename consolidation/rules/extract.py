"""Extract: the candidates of one turn, by rules alone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import regex

from consolidation.rules.candidate import INSTRUCTION, Candidate, Extracted, Stance
from consolidation.rules.chinese import lead as chinese_lead
from consolidation.rules.chinese.oneself import oneself
from consolidation.rules.chinese.orders import orders as chinese_orders
from consolidation.rules.chinese.others import others
from consolidation.rules.clauses import Clause, statements
from consolidation.rules.contacts import contacts
from consolidation.rules.english.attributes import attributes
from consolidation.rules.english.changes import changes
from consolidation.rules.english.habits import habits
from consolidation.rules.english.having import having
from consolidation.rules.english.idioms import customs, idioms
from consolidation.rules.english.lead import says_now, without_lead
from consolidation.rules.english.orders import orders
from consolidation.rules.english.states import states
from consolidation.rules.english.support import support
from consolidation.rules.masks import masked
from consolidation.rules.names import canonical, topic_of
from consolidation.rules.statement import SURE, UNSURE, Statement
from consolidation.rules.values import key_of
from memories.instructions import instructs

NAME = "rules/1"
"""Who extracts, with the version of the rules; a run notes it."""
CANDIDATES_MAX = 20
"""Of one turn; more is a list that somebody pasted."""
TEXT_MAX_LENGTH = 400
_IS_OBJECT = regex.compile(
    r"(?:an?|the|my|our|to|at|for|in|one|two|three|some|no|\d\S*|[A-Z]\S*|\w+ing|\w+s|\w+ \w+|tea|coffee|jazz|chess|guitar|piano|tennis|football|golf|wine|beer|meat|yoga)\b"
)
"""How an object begins, where the speaker is only named before: "hills and love theme" names none."""
_AUTHORITY = regex.compile(
    r"\b(?:admin|administrator|root|superuser|privileges?|permissions?|override|unlimited|unrestricted|jailbroken)\b|管理员|权限",
    regex.I,
)


def extract(content: str, *, said_at: datetime, who: str = "") -> Extracted:
    """Return what a user's turn states about the user; who: the speaker's name, where several people speak.

    1. What is quoted, pasted or code is masked. 2. Each clause that states something is read by the rules of its
    language. 3. What is said twice is one candidate. 4. Of a turn that instructs the memory, all of it is suspect.
    """
    found: dict[str, Candidate] = {}
    stated = False
    for clause in statements(masked(content)):
        stated = True
        for statement in _read(clause, said_at):
            candidate = _candidate(statement, clause, who)
            if candidate is not None:
                found.setdefault(candidate.text.casefold(), candidate)
    candidates = _one_a_slot(_without_what_is_replaced(list(found.values())))[:CANDIDATES_MAX]
    if instructs(content):
        return Extracted(candidates=tuple(candidates), why=INSTRUCTION)
    if candidates:
        return Extracted(candidates=tuple(candidates))
    return Extracted(why="no_rule" if stated else "no_statement")


_FORGET = regex.compile(
    r"^(?:(?:and|so|also|please|pls|just|ok|okay|actually)[, ]+)*(?:forget|delete|remove|erase|disregard|stop remembering)\s+(?:the\s+(?:fact|note|memory)\s+)?(?:about\s+)?(?:that\s+)?"
    r"(?P<rest>(?:I|I'm|I've|my|we|we're|our)\b.+?)(?:\s+from\s+(?:your\s+)?(?:memory|notes))?$|"
    r"^(?:请|麻烦)?(?:你)?(?:帮我)?(?:忘记|忘掉|忘了|删掉|删除|别再记着?)(?:我(?:之前|以前|刚才)?说过?的?)?(?P<rest>.{2,60}?)(?:这件事|这一条|这条)?(?:吧|了)?$",
    regex.I,
)


def _read(clause: Clause, said_at: datetime) -> Iterator[Statement]:
    """Yield what the first rule that understands a clause reads in it; of what shall be forgotten, that."""
    forget = _FORGET.match(clause.text)
    if forget is None:
        yield from _stated(clause, said_at)
        return
    rest = forget["rest"]
    said = rest if not clause.chinese or rest.startswith("我") else f"我{rest}"
    for statement in _stated(replace(clause, text=said), said_at):
        if statement.stance is Stance.HOLDS:
            yield replace(statement, stance=Stance.FORGET, changes=True, confidence=SURE)


def _stated(clause: Clause, said_at: datetime) -> Iterator[Statement]:
    known = list(contacts(clause.text, chinese=clause.chinese))
    if known:
        yield from known
    elif clause.chinese:
        yield from _read_chinese(clause, said_at)
    else:
        yield from _read_english(clause, said_at)


def _read_english(clause: Clause, said_at: datetime) -> Iterator[Statement]:
    text, lead = without_lead(clause.text)
    text = regex.sub(
        r"^(?:I (?:think|guess|believe|suppose)(?: that)?|maybe|perhaps|probably|possibly)\s+",
        "",
        text,
        flags=regex.I,
    )
    text, old = _without_denial(text)
    if _SUBJECTLESS.match(text):
        text = f"I {text[:1].lower()}{text[1:]}"
    prefixed = False
    if (
        clause.carried
        and not _ASKS_FOR.search(lead)
        and not regex.match(r"(?:I|I'm|I've|we|we're|my|our)\b", text, regex.I)
    ):
        text, prefixed = f"I {text}", True
    for rule in (idioms, changes, states, attributes, having, habits, customs):
        found = [one for one in rule(text, said_at) if not prefixed or _IS_OBJECT.match(one.value)]
        if found:
            for statement in found:
                corrected = replace(statement, replaces=statement.replaces or old, changes=True) if old else statement
                yield _now(corrected, lead=lead, said=says_now)
            return
    found = list(orders(text, said_at, lead=lead)) or list(support(text, said_at))
    yield from found


_ASKS_FOR = regex.compile(r"\b(?:so|please|pls)\b", regex.I)
"""What makes a verb without a subject a wish: "I'm colour-blind, so avoid red"."""
_SUBJECTLESS = regex.compile(
    r"(?:just |recently |finally |already )?(?:moved|relocated|bought|adopted|sold|switched|joined|quit|traded|upgraded|cancelled|canceled|graduated|retired|replaced|swapped)\s+(?!it\b|that\b|this\b|them\b)",
    regex.I,
)
"""What somebody says of himself without saying I: "Traded my iPhone for a Pixel 9"."""


def _without_denial(text: str) -> tuple[str, str]:
    """Return a statement without what it denies at its end, and that as it is compared: "in Antwerp, not Ghent"."""
    found = regex.match(r"(.+?),?\s+(?:and\s+)?not\s+(?:in\s+|at\s+|on\s+)?((?:[A-Z\d]|the\s)[\w' .-]{0,38})$", text)
    return (found[1], key_of(found[2])) if found is not None else (text, "")


def _now(statement: Statement, *, lead: str, said: Callable[[str], bool]) -> Statement:
    return replace(statement, changes=True) if said(lead) else statement


def _read_chinese(clause: Clause, said_at: datetime) -> Iterator[Statement]:
    text, lead = chinese_lead.without_lead(clause.text)
    for said in dict.fromkeys((text, clause.text)):
        for rule in (oneself, chinese_orders, others):
            found = list(rule(said, said_at, carried=clause.carried))
            if found:
                yield from (_now(statement, lead=lead, said=chinese_lead.says_now) for statement in found)
                return


def _candidate(statement: Statement, clause: Clause, who: str) -> Candidate | None:
    """Return a statement with its words in the turn; None for what nobody may claim for himself in passing."""
    name = who or ("用户" if clause.chinese else "The user")
    text = " ".join(statement.text.replace("{who}", name.replace("{", "").replace("}", "")).split())
    if len(text) > TEXT_MAX_LENGTH or _AUTHORITY.search(statement.value):
        return None
    known = canonical(statement.value)
    slot = statement.slot
    if slot is None and statement.predicate == "prefers" and statement.stance is Stance.HOLDS:
        topic = topic_of(statement.value)
        slot = f"preferred {topic}" if topic else None
    return Candidate(
        text=text,
        predicate=statement.predicate,
        value=statement.value,
        key=known or _key(statement),
        rule=statement.rule,
        start=clause.start,
        end=clause.end,
        stance=statement.stance,
        slot=slot,
        category=statement.category,
        confidence=UNSURE if clause.hedged and not statement.may_be_hedged else statement.confidence,
        importance=statement.importance,
        replaces=(canonical(statement.replaces) or statement.replaces) if statement.replaces else "",
        changes=statement.changes,
        valid_from=statement.valid_from,
        ttl_days=statement.ttl_days,
    )


def _key(statement: Statement) -> str:
    """Return a value as it is compared: where it is used, and how it is enjoyed, are no part of what it is."""
    key = regex.sub(r"\s+(?:at|for|in)\s+(?:the\s+)?(?:work|home|school|office)$", "", key_of(statement.value))
    return regex.sub(
        r"^(?:吃|喝|看|听|玩|用)(?=.)|^(?:eating|drinking|using|playing|watching|reading|to eat|to drink|to play|to read|to watch|to go)\s+(?=.)",
        "",
        key,
    )


def _without_what_is_replaced(candidates: list[Candidate]) -> list[Candidate]:
    """Merge what ended into what the same turn says came instead: "we left Bristol, we're in Edinburgh now"."""
    kept: list[Candidate] = []
    for candidate in candidates:
        if candidate.stance is Stance.ENDED and candidate.slot and _instead_of(candidate, candidates) is not None:
            continue
        ended = [
            other
            for other in candidates
            if other.stance is Stance.ENDED and _instead_of(other, candidates) is candidate
        ]
        if ended and not candidate.replaces:
            candidate = replace(candidate, replaces=ended[0].key, changes=True)
        kept.append(candidate)
    return kept


def _one_a_slot(candidates: list[Candidate]) -> list[Candidate]:
    """Leave a slot to the one value that a turn calls new, or to the first: "I moved to Edinburgh, I live in Leith"."""
    holders: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.slot and candidate.stance is Stance.HOLDS:
            held = holders.setdefault(candidate.slot, candidate)
            if candidate.changes and not held.changes:
                holders[candidate.slot] = candidate
    return [
        replace(one, slot=None) if one.slot and one.stance is Stance.HOLDS and holders[one.slot] is not one else one
        for one in candidates
    ]


def _instead_of(ended: Candidate, candidates: list[Candidate]) -> Candidate | None:
    """Return the statement of a turn that says what holds in the slot of what ended."""
    held = [other for other in candidates if other.slot == ended.slot and other.stance is Stance.HOLDS]
    return held[0] if held and ended.slot else None
