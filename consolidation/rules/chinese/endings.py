"""游泳不去了；京剧不怎么听了；那张卡注销了: what ended, of which no other rule knows what it was."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import ENDS, Stance
from consolidation.rules.chinese.frames import ADVERB, THING
from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut

_VERB = r"(?:去|听|看|吃|喝|用|碰|玩|写|抽|练|跑|学|做|养|穿|开|骑)"
_ENDED = regex.compile(
    rf"^(?:我(?:们)?)?{ADVERB}{THING}\s*(?:我(?:们)?)?{ADVERB}(?:不(?:再|怎么|太|大|想)?{_VERB}|(?:戒|停|退|卸载|注销|退订|取消|退租|卖|扔)掉?|没再{_VERB})了$"
)
_ENDED_AFTER = regex.compile(
    rf"^(?:我(?:们)?)?{ADVERB}(?:不(?:再|怎么|太)?{_VERB}|没再{_VERB}|放弃|停用|告别|弃用|退订|取消|卸载)了?{THING}了$"
)


_ACT = regex.compile(r"[吃喝听看玩去练跑学写做抽碰戒]")
"""What is done or enjoyed, not had: 猫不吃了 tells nothing of having a cat."""


def endings(clause: str, said_at: datetime, *, carried: bool) -> Iterator[Statement]:
    """Yield what one clause says has ended."""
    for pattern in (_ENDED, _ENDED_AFTER):
        found = pattern.match(clause)
        value = chinese_cut(found["value"]) if found is not None else ""
        if found is not None and value and not regex.search(r"不|了|我", value):
            verb = regex.sub(r"我(?:们)?|把|了$", "", clause.replace(found["value"], "", 1)).strip()
            predicate = "does" if _ACT.search(verb) else ENDS
            yield Statement(
                text=f"{{who}}{verb}{value}了", predicate=predicate, value=value, rule="zh.ended", stance=Stance.ENDED, category="preference",
                changes=True, only_if_met=True,
            )  # fmt: skip
            return
