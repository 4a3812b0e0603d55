"""I've gone off tabs; I no longer do bouldering; scrap the bullet points: what ends, by verbs that no other rule knows."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

import regex

from consolidation.rules.candidate import ENDS, Stance
from consolidation.rules.english.frame import WHO, Frame
from consolidation.rules.english.frames import stated
from consolidation.rules.statement import Statement

_ACT = r"(?P<how>do|go to|go|play|practise|practice|eat|drink|have|use|take|watch|listen to|read|wear|buy|order|attend|see|drive|ride)"
_ACTING = r"(?P<how>doing|going to|going|playing|practising|practicing|eating|drinking|having|using|taking|watching|listening to|reading|wearing|buying|ordering|attending|seeing|driving|riding)"
_frame = partial(Frame, predicate=ENDS, category="preference", stance=Stance.ENDED, changes=True, only_if_met=True)
FRAMES: tuple[Frame, ...] = (
    _frame(rule="gone_off", pattern=rf"{WHO}(?:completely |totally |really )?gone off (?P<value>[\w' -]{{2,40}}?)(?: completely| entirely| altogether| lately)?", text="has gone off {v}"),
    _frame(rule="no_longer", pattern=rf"(?:I|we) no longer {_ACT} (?P<value>.+)", text="does not {how} {v} any more"),
    _frame(rule="no_longer", pattern=rf"(?:I|we) (?:don't|do not) (?:really )?{_ACT} (?P<value>.+?) (?:any ?more|any longer|these days)", text="does not {how} {v} any more"),
    _frame(rule="stopped", pattern=rf"{WHO}(?:completely )?(?:stopped|quit|given up|gave up|finished with|done with) {_ACTING} (?P<value>.+)", text="stopped {how} {v}"),
    _frame(rule="scrap", pattern=r"(?:please )?(?:scrap|ditch|drop|skip|lose|enough with|no need for) (?:the |those |all the )(?P<value>[\w' -]{2,30})", text="no longer wants {v}"),
    _frame(rule="gone", pattern=rf"{WHO}(?:sold|scrapped|ditched|dropped|got rid of|gotten rid of|gave away|given away|traded in|cancelled|canceled|uninstalled|returned|retired|binned) (?P<value>(?:the|my|our|that old|that) .+)", text="no longer has {v}"),
)  # fmt: skip
_COMPILED = tuple((frame, regex.compile(rf"^(?:{frame.pattern})$", regex.I)) for frame in FRAMES)


def endings(clause: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what one clause says has ended."""
    for frame, pattern in _COMPILED:
        found = pattern.match(clause)
        statement = stated(frame, found, said_at) if found is not None else None
        if statement is not None:
            yield statement
            return
