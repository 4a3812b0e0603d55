"""Extract: the candidates of one turn, by rules alone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import regex

from consolidation.rules.candidate import INSTRUCTION, Candidate, Extracted, Stance
from consolidation.rules.chinese import lead as chinese_lead
from consolidation.rules.chinese.endings import endings as chinese_endings
from consolidation.rules.chinese.frames import frames as chinese_frames
from consolidation.rules.chinese.oneself import oneself
from consolidation.rules.chinese.orders import orders as chinese_orders
from consolidation.rules.chinese.others import others
from consolidation.rules.chinese.pairs import pairs as chinese_pairs
from consolidation.rules.clauses import Clause, statements
from consolidation.rules.contacts import contacts
from consolidation.rules.coreference import resolved
from consolidation.rules.english.attributes import attributes
from consolidation.rules.english.changes import changes
from consolidation.rules.english.denials import without_denial
from consolidation.rules.english.endings import endings
from consolidation.rules.english.frames import frames
from consolidation.rules.english.habits import habits
from consolidation.rules.english.having import having
from consolidation.rules.english.idioms import customs, idioms
from consolidation.rules.english.lead import says_now, without_lead
from consolidation.rules.english.orders import orders
from consolidation.rules.english.pairs import pairs
from consolidation.rules.english.states import states
from consolidation.rules.english.support import support
from consolidation.rules.masks import masked
from consolidation.rules.names import canonical, topic_of
from consolidation.rules.outcomes import outcome_of
from consolidation.rules.play import plays
from consolidation.rules.sayings.sayings import sayings, within
from consolidation.rules.statement import SURE, UNSURE, Statement
from consolidation.rules.turn import together
from consolidation.rules.values import key_of
from memories.instructions import instructs

NAME = "rules/3"
"""Who extracts, with the version of the rules; a run notes it."""
CANDIDATES_MAX = 20
"""Of one turn; more is a list that somebody pasted."""
TEXT_MAX_LENGTH = 400
AROUND = 120
"""Code points before a clause that its change may be told in."""
_IS_OBJECT = regex.compile(
    r"(?:an?|the|my|our|to|at|for|in|one|two|three|some|no|\d\S*|[A-Z]\S*|\w+ing|\w+s|\w+ \w+|tea|coffee|jazz|chess|guitar|piano|tennis|football|golf|wine|beer|meat|yoga)\b"
)
"""How an object begins, where the speaker is only named before: "hills and love theme" names none."""
_AUTHORITY = regex.compile(
    r"\b(?:admin|administrator|root|superuser|privileges?|permissions?|override|unlimited|unrestricted|jailbroken)\b|管理员|权限",
    regex.I,
)


def extract(content: str, *, said_at: datetime, who: str = "", answers: bool = False) -> Extracted:
    """Return what a user's turn states about the user; who: the speaker's name, where several people speak.

    answers: the assistant had asked something just before.
    1. What is quoted, pasted or code is masked. 2. Each clause that states something is read by the rules of its
    language. 3. What is said twice is one candidate. 4. A sentence that tells of the speaker what lasts, and more than
    the rules read, is kept as it was said. 5. Of a turn that instructs the memory, all of it is suspect.
    """
    found: dict[str, Candidate] = {}
    read: list[tuple[int, int]] = []
    stated = corrects = False
    if plays(content):
        return Extracted(why=INSTRUCTION if instructs(content) else "no_statement")
    own = masked(content)
    before = 0
    for clause in statements(own):
        stated = True
        corrects = corrects or bool(_CORRECTS.search(clause.text))
        for statement in _meant(clause, own[: clause.start], said_at):
            candidate = _candidate(statement, clause, who)
            read.append((clause.start, clause.end))
            if candidate is not None:
                around = own[before if 0 <= clause.start - before <= AROUND else clause.start : clause.end].strip()
                changed = replace(candidate, changes=candidate.changes or corrects, around=around)
                found.setdefault(candidate.text.casefold(), changed)
        before = clause.end if read and read[-1][0] == clause.start else clause.start
    sure = [
        replace(one, confidence=SURE) if one.rule == "en.perhaps_home" and _MOVED.search(content) else one
        for one in found.values()
    ]
    candidates = together(sure)[:CANDIDATES_MAX]
    if instructs(content):
        return Extracted(candidates=tuple(candidates), why=INSTRUCTION)
    if outcome_of(content) is None:
        kept = list(sayings(content, own, read, who=who, answers=answers))
        candidates = [within(one, kept) for one in candidates] + kept
    if candidates:
        return Extracted(candidates=tuple(candidates[:CANDIDATES_MAX]))
    return Extracted(why="no_rule" if stated else "no_statement")


_MOVED = regex.compile(
    r"\b(?:I|we)(?:'ve| have)? (?:just |finally |recently )*(?:moved|relocated|emigrated)\b", regex.I
)
"""What makes "Delft is home now" a place: of a person it says that he or she is in."""
_CORRECTS = regex.compile(
    r"^(?:(?:no|oh|sorry|actually|nope|well)[, ]+)*(?:that(?:'s| is| was)|you(?:'re| are)|it(?:'s| is)) (?:wrong|not (?:right|true|correct)|incorrect|mistaken|out of date|outdated)\b|^correction\b|^(?:不对|错了|你?(?:搞|记|弄|说)错了|不是这样|更正|纠正)",
    regex.I,
)
_FORGET = regex.compile(
    r"^(?:(?:and|so|also|please|pls|just|ok|okay|actually)[, ]+)*(?:forget|delete|remove|erase|disregard|stop remembering)\s+(?:the\s+(?:fact|note|memory)\s+)?(?:about\s+)?(?:that\s+)?"
    r"(?P<rest>(?:I|I'm|I've|my|we|we're|our)\b.+?)(?:\s+from\s+(?:your\s+)?(?:memory|notes))?$|"
    r"^(?:请|麻烦)?(?:你)?(?:帮我)?(?:忘记|忘掉|忘了|删掉|删除|别再记着?)(?:我(?:之前|以前|刚才)?说过?的?)?(?P<rest>.{2,60}?)(?:这件事|这一条|这条)?(?:吧|了)?$",
    regex.I,
)


def _meant(clause: Clause, before: str, said_at: datetime) -> list[Statement]:
    """Return what a clause states, of whom it means where that is plain; before: what was said until then."""
    text = None if clause.whole else resolved(clause.text, before, chinese=clause.chinese)
    if text is not None and text != clause.text and (found := list(_read(replace(clause, text=text), said_at))):
        return found
    return list(_read(clause, said_at))


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
    own = clause.opens or clause.carried
    known = list(contacts(clause.text, chinese=clause.chinese, own=own))
    if known:
        yield from known
    elif clause.whole:
        yield from (chinese_pairs if clause.chinese else pairs)(clause.text, said_at)
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
    text, old = without_denial(text)
    if _SUBJECTLESS.match(text):
        text = f"I {text[:1].lower()}{text[1:]}"
    prefixed = False
    if (
        clause.carried
        and not _ASKS_FOR.search(lead)
        and not regex.match(r"(?:I|I'm|I've|we|we're|my|our)\b", text, regex.I)
    ):
        text, prefixed = f"I {text}", True
    for rule in (pairs, frames, idioms, changes, states, attributes, having, habits, endings, customs):
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
    r"(?:just |recently |finally |already )?(?:moved|relocated|bought|adopted|sold|switched|joined|quit|traded|upgraded|updated|downgraded|migrated|cancelled|canceled|graduated|retired|replaced|swapped|signed|ditched|dropped|stopped|gave up|got rid of|started)\s+(?!it\b|that\b|this\b|them\b)",
    regex.I,
)
"""What somebody says of himself without saying I: "Traded my iPhone for a Pixel 9"."""


def _now(statement: Statement, *, lead: str, said: Callable[[str], bool]) -> Statement:
    return replace(statement, changes=True) if said(lead) else statement


def _read_chinese(clause: Clause, said_at: datetime) -> Iterator[Statement]:
    text, lead = chinese_lead.without_lead(clause.text)
    for said in dict.fromkeys((text, clause.text)):
        for rule in (chinese_frames, oneself, chinese_orders, others, chinese_endings):
            found = list(
                rule(said, said_at, carried=clause.carried or (clause.opens and rule in {others, chinese_frames}))
            )
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
        topic = topic_of(statement.value) or topic_of(_key(statement))
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
        only_if_met=statement.only_if_met,
    )


def _key(statement: Statement) -> str:
    """Return a value as it is compared: where it is used, and how it is enjoyed, are no part of what it is."""
    key = regex.sub(
        r"\s+(?:at|for|in)\s+(?:the\s+)?(?:work|home|school|office)$|\s+(?:on|at|in the|every|each)\s+(?:\w+days?|weekends?|mornings?|evenings?|afternoons?|night|week|day)$",
        "",
        key_of(statement.value),
    )
    return regex.sub(
        r"^(?:吃|喝|看|听|玩|用|写|去)(?=.)|^(?:eating|drinking|using|playing|watching|reading|to eat|to drink|to play|to read|to watch|to go)\s+(?=.)",
        "",
        key,
    )
