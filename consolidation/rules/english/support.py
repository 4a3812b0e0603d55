"""I've reset the hub twice; I'm getting error E-4012; I updated the firmware to 2.3.1."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.english.habits import without_time
from consolidation.rules.statement import Statement
from consolidation.rules.values import cut, in_third_person

_CODE = r"(?:[A-Z]{1,5}-?\d{2,6}[A-Z]?|0x[0-9A-Fa-f]{3,10}|#?\d{3,6}(?=\s|$)|[A-Z]{2,}(?:_[A-Z]+)+)"
_ERROR = regex.compile(
    rf"\b(?:error(?:\s+(?:code|message|number))?|code|exception|fault(?:\s+code)?)\s*(?:is|:|=|says|of)?\s*(?P<value>{_CODE})|\b(?P<value>{_CODE})\s+(?:error|fault|exception)\b"
)
_OTHERS = regex.compile(
    r"^(?i:(?:my|our|his|her|their|a|the) (?:friend|neighbou?r|colleague|boss|customer|client|brother|sister|mother|father|mum|mom|dad|wife|husband|partner|cousin)s?|he|she|they|someone|somebody|people|you)\b|^(?:[A-Z][a-z]+ (?:has|had|got|gets|sees))\b|\b(?:means|stands for|is documented|usually)\b"
)
_ON = regex.compile(
    r"\b(?:on|from|by|in|with)\s+(?P<what>(?:my|the|our)\s+[\w -]{2,30}?)(?=$|[,.]|\s+(?:when|after|and|again|since))",
    regex.I,
)
_DID = regex.compile(
    r"^(?:I|we)(?:'ve|\s+have)?\s+(?:already\s+|just\s+|also\s+|now\s+|even\s+)*(?P<did>reset|restarted|rebooted|reinstalled|replaced|unplugged|re-?paired|updated|upgraded|factory[- ]reset|power[- ]cycled|reformatted|installed|flashed|renewed|tried resetting|tried restarting|tried rebooting|tried replacing)\s+"
    r"(?P<value>(?:my|the|our|its)\s+.+|[A-Z].+)$",
    regex.I,
)
_RUNS = regex.compile(
    r"^(?:I'm|we're|I am|we are|it's|it is)\s+(?:still\s+|currently\s+|now\s+)?(?:on|running|using)\s+(?P<value>(?:firmware|version|build|release|v)?\s*v?\d+(?:\.\d+)+.*)$",
    regex.I,
)


def support(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says of a fault, a version or what was tried."""
    found = _ERROR.search(clause)
    if found is not None and not _OTHERS.search(clause):
        on = _ON.search(clause)
        where = f" on {in_third_person(on['what'])}" if on else ""
        yield Statement(
            text=f"{{who}} gets error {found['value']}{where}",
            predicate="error",
            value=found["value"],
            rule="en.error",
            category="support",
            ttl_days=90,
        )
    runs = _RUNS.match(clause)
    if runs is not None and (value := cut(runs["value"])):
        yield Statement(
            text=f"{{who}} runs {value}", predicate="version", value=value, rule="en.version", category="possession"
        )
    did = _DID.match(clause)
    if did is not None:
        value, since = without_time(did["value"], said_at)
        value = cut(value)
        if value:
            yield Statement(
                text=f"{{who}} {did['did'].lower()} {in_third_person(value)}", predicate="did", value=value, rule="en.did", category="progress",
                ttl_days=180, valid_from=since, importance=0.4,
            )  # fmt: skip
