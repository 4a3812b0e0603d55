"""There's a greyhound at home, his name is Biscuit; we have two kids, Anya and Leo: what is told over a comma."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import regex

from consolidation.rules.english.attributes import FAMILY, PET, attributes
from consolidation.rules.english.frame import PROPER
from consolidation.rules.english.ownable import is_owned
from consolidation.rules.statement import Statement
from consolidation.rules.values import key_of

_HAVE = r"(?:(?:well|so|oh|and|also|by the way|btw)[, ]+)*(?:there's|there is|there are|(?:I|we)(?: have| own|'ve got| have got| adopted| got|'ve adopted|'ve)(?: just| recently)?)"
_NAME = rf"{PROPER}[\p{{L}}'-]{{1,20}}"
_ONE = regex.compile(
    rf"^{_HAVE} (?:an?|one) (?P<what>[\w -]{{2,30}}?)(?: at home| in the house| now)?\s*(?:,|;|-|–|—|\(| and)*\s*(?:(?:his|her|its|their) name(?:'s| is)|(?:he|she|it)(?:'s| is) (?:called|named)|called|named) (?P<name>{_NAME})\b(?!\s*(?:,|and|&)\s*(?:and )?(?:an?|two|three)\b)",
    regex.I,
)
_MANY = regex.compile(
    rf"^{_HAVE} (?P<what>(?:two|three|four|five|six|\d) (?:[\w-]+ )?(?:{FAMILY}|{PET})s?)\s*(?:,|:|-|–|—|\(|called|named)+\s*"
    rf"(?P<names>{_NAME}(?:,? (?:who's|who is|aged|is|\()?\s*\d{{1,2}}\)?)?(?:(?:,? and |, |,? & ){_NAME}(?:,? (?:who's|who is|aged|is|\()?\s*\d{{1,2}}\)?)?){{0,5}})",
    regex.I,
)
_OF_FAMILY = regex.compile(rf"\b(?:{FAMILY})s?$", regex.I)
_PET = regex.compile(rf"\b(?:{PET})s?$", regex.I)


_IS_MY = regex.compile(
    rf"^(?P<new>{PROPER}[\p{{L}}\d+#.' -]{{1,40}}?) is (?:now )?(?:my|our) (?:new |main )?(?P<what>[a-z][a-z -]{{2,25}}?)(?: now| these days)$",
    regex.I,
)
_IS_NOT = regex.compile(
    r"^(?:(?:no|sorry|actually|well|wait)[, ]+)*(?:my|our) (?P<what>[\w' -]{2,30}?)(?: is not|'s not| isn't| was never| used to be| was) (?P<old>[^,;]{1,40})(?:[,;] (?:but |rather |and )?(?:now )?(?:it's |it is )(?:now )?|,? but (?:now )?(?:it's )?)(?P<new>[^,;]{1,60})$",
    regex.I,
)


def pairs(sentence: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what a sentence of several clauses says as one."""
    denied = _IS_NOT.match(sentence)
    if denied is not None:
        for statement in attributes(f"My {denied['what']} is {denied['new']}", said_at):
            yield replace(statement, replaces=key_of(denied["old"]), changes=True)
        return
    named = _IS_MY.match(sentence)
    if named is not None:
        yield from attributes(f"My {named['what']} is now {named['new']}", said_at)
        return
    one = _ONE.match(sentence)
    if one is not None:
        what, name = " ".join(one["what"].split()), one["name"]
        family = _OF_FAMILY.search(what)
        if family or _PET.search(what) or is_owned(f"a {what}") or _is_animal(sentence):
            yield _statement(f"has a {what} called {name}", f"{what} called {name}", family=bool(family))
        return
    many = _MANY.match(sentence)
    if many is not None:
        names = many["names"].strip()
        yield _statement(
            f"has {many['what']}, {names}", f"{many['what']}, {names}", family=bool(_OF_FAMILY.search(many["what"]))
        )


def _is_animal(sentence: str) -> bool:
    """Say whether what is at home has a name of its own, as beings have."""
    return bool(
        regex.search(r"\bat home\b|\b(?:his|her) name\b|\b(?:he|she)(?:'s| is) (?:called|named)\b", sentence, regex.I)
    )


def _statement(text: str, value: str, *, family: bool) -> Statement:
    return Statement(
        text=f"{{who}} {text}", predicate="has_family" if family else "has", value=value, rule="en.pair",
        category="family" if family else "possession", importance=0.7,
    )  # fmt: skip
