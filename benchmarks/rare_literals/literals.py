"""The records: 50 with a literal that is asked for, many with literals that resemble one, and talk without any."""

import random
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from benchmarks.read_your_writes.sentences import FILLERS, Language
from benchmarks.read_your_writes.trials import make_trials

KINDS = ("error", "order", "uuid", "version", "hex", "address", "part", "ticket", "tracking", "serial")
TARGETS_A_KIND = 5

TOLD: Mapping[str, Mapping[Language, Sequence[str]]] = {
    "error": {
        Language.ENGLISH: (
            "The heating shows {code} and goes off.",
            "My laptop stopped with {code} during the update.",
        ),
        Language.CHINESE: ("热水器一直报{code}，然后就熄火。", "电脑更新到一半停了，屏幕上写着 {code}。"),
    },
    "order": {
        Language.ENGLISH: ("The lamp I ordered is under {code}.", "I sent the shoes back, the number was {code}."),
        Language.CHINESE: ("我买的台灯订单号{code}，还没有发货。", "退货的鞋子订单号 {code}，钱还没退。"),
    },
    "uuid": {
        Language.ENGLISH: ("Our test tenant has the id {code}.", "The failing job was {code}, it ran at night."),
        Language.CHINESE: ("测试租户的编号是{code}。", "夜里失败的任务是 {code}，请看日志。"),
    },
    "version": {
        Language.ENGLISH: ("Since {code} the app drains my battery.", "We rolled back to {code} on the tablets."),
        Language.CHINESE: ("升级到{code}以后手机耗电很快。", "平板都退回到 {code} 了。"),
    },
    "hex": {
        Language.ENGLISH: ("The crash was at {code}, always the same place.", "The commit that broke it is {code}."),
        Language.CHINESE: ("崩溃的地址每次都是{code}。", "出问题的提交是 {code}，我已经回滚。"),
    },
    "address": {
        Language.ENGLISH: ("The printer is at {code} now.", "I cannot reach {code} from the guest network."),
        Language.CHINESE: ("打印机换到{code}了。", "访客网络连不上 {code}。"),
    },
    "part": {
        Language.ENGLISH: ("The seal of the dishwasher is part {code}.", "I need two filters, {code}, for the hood."),
        Language.CHINESE: ("洗碗机的密封圈是{code}。", "抽油烟机要两个滤网，型号 {code}。"),
    },
    "ticket": {
        Language.ENGLISH: ("The hotline opened {code} for me.", "They closed {code} without asking."),
        Language.CHINESE: ("客服给我开了工单{code}。", "他们没问我就关掉了 {code}。"),
    },
    "tracking": {
        Language.ENGLISH: ("The parcel to my sister is {code}.", "Customs holds {code} since Friday."),
        Language.CHINESE: ("寄给妹妹的包裹单号{code}。", "海关从星期五就扣着 {code}。"),
    },
    "serial": {
        Language.ENGLISH: ("The bicycle's frame number is {code}.", "On the back of the camera it says {code}."),
        Language.CHINESE: ("自行车的车架号是{code}。", "相机背面刻着 {code}。"),
    },
}
ASKED: Mapping[Language, Sequence[str]] = {
    Language.ENGLISH: (
        "What was it about {code}?", "Did I ever mention {code} to you, and why?", "{code}: what do you know?",
        "I found a note that says {code}, remind me please what that was.",
    ),
    Language.CHINESE: (
        "{code}是怎么回事？", "我跟你提过{code}吗？是什么事？",
        "帮我查一下 {code}，谢谢。", "关于{code}你还记得什么？",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A literal that one record alone has. questions: sentences that hold it, in either language."""

    kind: str
    code: str
    record: str
    questions: Mapping[Language, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """What is told, in order, and the literals that are asked for. alike: the texts that hold one, or one like it."""

    texts: Sequence[str]
    alike: frozenset[str]
    literals: Sequence[Literal]


def make_records(count: int, *, seed: int) -> Records:
    """Return so many records: 50 literals, each with four that differ from it by little, and talk."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    taken: set[str] = set()
    literals: list[Literal] = []
    texts: list[str] = []
    for kind in KINDS:
        for number in range(TARGETS_A_KIND):
            code = _new(partial(_made, kind, chance), taken)
            language = list(Language)[number % 2]
            text = chance.choice(TOLD[kind][language]).format(code=code)
            asked = {one: chance.choice(ASKED[one]).format(code=code) for one in Language}
            literals.append(Literal(kind=kind, code=code, record=text, questions=asked))
            texts.append(text)
            for _ in range(4):
                other = _new(partial(_alike, code, chance), taken)
                texts.append(chance.choice(TOLD[kind][chance.choice(list(Language))]).format(code=other))
    alike = frozenset(texts)
    texts += _talk(count - len(texts), chance, seed)
    chance.shuffle(texts)
    return Records(texts=texts, alike=alike, literals=literals)


def _talk(count: int, chance: random.Random, seed: int) -> Iterator[str]:
    """Yield turns without any such literal, no two alike."""
    for trial in make_trials(count, seed=seed):
        yield trial.statement if not trial.is_long else f"{chance.choice(FILLERS[trial.language])} {trial.word}"


def _new(make: Callable[[], str], taken: set[str]) -> str:
    while (code := make()) in taken:
        pass
    taken.add(code)
    return code


def _alike(code: str, chance: random.Random) -> str:
    """Return a literal with one letter or digit changed, as the next order or the neighbouring fault has it."""
    places = [place for place, character in enumerate(code) if character.isalnum()][1:]
    place = chance.choice(places)
    old = code[place]
    choice = string.digits if old.isdigit() else string.ascii_uppercase if old.isupper() else "abcdef"
    return code[:place] + chance.choice(choice) + code[place + 1 :]


def _made(kind: str, chance: random.Random) -> str:
    def digits(count: int) -> str:
        return str(chance.randrange(1, 10)) + "".join(chance.choice(string.digits) for _ in range(count - 1))

    def letters(count: int) -> str:
        return "".join(chance.choice(string.ascii_uppercase) for _ in range(count))

    def hexadecimal(count: int) -> str:
        return "".join(chance.choice("0123456789abcdef") for _ in range(count))

    return {
        "error": lambda: f"ERR-{digits(4)}-{letters(1)}",
        "order": lambda: f"SF{digits(13)}",
        "uuid": lambda: str(UUID(int=chance.getrandbits(128), version=4)),
        "version": lambda: f"v{chance.randrange(10)}.{chance.randrange(20)}.{chance.randrange(40)}",
        "hex": lambda: f"0x{hexadecimal(8)}" if chance.random() < 0.5 else hexadecimal(10),
        "address": lambda: f"10.{chance.randrange(4)}.{chance.randrange(20)}.{chance.randrange(1, 255)}",
        "part": lambda: f"{letters(2)}/{chance.choice(('100', '200', '300'))}/{digits(2)}-{letters(1)}",
        "ticket": lambda: f"INC#{digits(6)}",
        "tracking": lambda: f"{letters(2)}{digits(9)}{letters(2)}",
        "serial": lambda: f"{letters(3)}_{digits(3)}.{digits(2)}:{letters(1)}{digits(1)}",
    }[kind]()
