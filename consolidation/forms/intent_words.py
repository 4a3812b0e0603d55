"""What was done, in a sentence or two, in the language in which it was asked for."""

from collections.abc import Iterator, Mapping

from consolidation.models.receipt import Act, Doing
from consolidation.rules.clauses import is_chinese
from consolidation.services.intended import Intended, State
from memories.models.memory import Status

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "learned": "Remembered: “{row}”.",
        "pending": "Noted, but not sure enough to be believed yet: “{row}”.",
        "quarantined": "Kept for a person to look at, since it reads like an instruction: “{row}”.",
        "repeated": "Known already: “{row}”.",
        "superseded": "“{row}” is in the place of “{other}”.",
        "retracted": "Forgotten: “{row}”.",
        "revived": "Believed again: “{row}”.",
        "said_in": "{count} turns still say it among other things; retract their memories (said_in) too.",
        "nothing": "Nothing like that is remembered; nothing was changed.",
        "known": "That is known already, or older than what is known; nothing was changed.",
        "found": "This is what is remembered.",
        "found_none": "Nothing is remembered about that.",
        "ask": "{count} memories could be meant, and nothing was done: send the memory_id of one, or confirm.",
        "ask_near": "Nothing is called just that; these come near, and nothing was done: send the memory_id of one.",
        "unclear": "That was not understood; say what to remember, to change, to forget or to look up.",
        "refused": "Everything is not forgotten in words: erase the user, or retract memories one by one.",
        "dry_run": "Nothing was changed. It would be: ",
    },
    "zh": {
        "learned": "已记住：“{row}”。",
        "pending": "已记下，但还不够确定：“{row}”。",
        "quarantined": "这像是一条指令，先留给人审核：“{row}”。",
        "repeated": "早已知道：“{row}”。",
        "superseded": "“{row}”取代了“{other}”。",
        "retracted": "已忘掉：“{row}”。",
        "revived": "重新采信：“{row}”。",
        "said_in": "还有{count}轮对话在说别的事时提到过；如也要忘掉，请撤回它们的记忆（said_in）。",
        "nothing": "没有这样的记忆，什么也没有改变。",
        "known": "这已经知道，或者比已知的更旧，什么也没有改变。",
        "found": "记忆中有这些。",
        "found_none": "没有与此相关的记忆。",
        "ask": "有{count}条记忆可能符合，什么也没有做：请给出其中一条的 memory_id，或确认全部忘掉。",
        "ask_near": "没有完全符合的；这些比较接近，什么也没有做：请给出其中一条的 memory_id。",
        "unclear": "没有听懂；请说明要记住、修改、忘掉或查询什么。",
        "refused": "不能用一句话忘掉所有内容：请抹除该用户，或逐条撤回。",
        "dry_run": "什么也没有改变。如果执行：",
    },
}  # fmt: skip
_QUOTED_MAX_LENGTH = 120


def words(intended: Intended, *, text: str, dry_run: bool) -> str:
    """Return what came of an intent in plain words."""
    said = _SAID["zh" if is_chinese(text) else "en"]
    if intended.state is State.ASK:
        near = len(intended.offered) < 2 or not intended.exact
        return said["ask_near" if near else "ask"].replace("{count}", str(len(intended.offered)))
    if intended.recalled is not None:
        return said["found" if intended.recalled.hits else "found_none"]
    if intended.state is State.NOTHING:
        return said["known" if intended.asked.statement else "nothing"]
    if intended.state is not State.DONE:
        return said[intended.state.value]
    sentences = list(_sentences(intended, said))
    return (said["dry_run"] if dry_run else "") + (" " if said is _SAID["en"] else "").join(sentences)


def _sentences(intended: Intended, said: Mapping[str, str]) -> Iterator[str]:
    for act in intended.acts:
        code = _code(act, intended)
        if code in said:
            yield _filled(said[code], act, intended)
    if intended.said_in:
        yield said["said_in"].replace("{count}", str(len(intended.said_in)))


def _code(act: Act, intended: Intended) -> str:
    row = intended.rows.get(act.row) if act.row is not None else None
    if row is None:
        return ""
    if act.doing is Doing.LEARNED and row.status in (Status.PENDING, Status.QUARANTINED):
        return str(row.status)
    return act.doing.value


def _filled(sentence: str, act: Act, intended: Intended) -> str:
    for name, row_id in (("{other}", act.other), ("{row}", act.row)):
        row = intended.rows.get(row_id) if row_id is not None else None
        if row is not None:
            quoted = row.text if len(row.text) <= _QUOTED_MAX_LENGTH else f"{row.text[:_QUOTED_MAX_LENGTH]}…"
            sentence = sentence.replace(name, quoted)
    return sentence
