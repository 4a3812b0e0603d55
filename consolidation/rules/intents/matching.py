"""Matching: which memories somebody means who names them in passing: "my address", "the hub"."""

from collections.abc import Mapping

import regex

from consolidation.rules.steps import words_of

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "works_for": ("job", "work", "employer", "company", "occupation", "profession", "career", "工作", "公司", "职业", "单位"),
    "works_as": ("job", "work", "occupation", "profession", "career", "role", "工作", "职业", "岗位"),
    "lives_in": ("address", "home", "residence", "city", "location", "地址", "住址", "住处", "城市"),
    "address": ("address", "home", "地址", "住址"),
    "phone": ("phone", "telephone", "mobile", "number", "电话", "手机", "号码"),
    "email": ("email", "e-mail", "mail", "邮箱", "邮件"),
    "birthday": ("birthday", "birth", "born", "生日", "出生"),
    "age": ("age", "old", "年龄"),
    "name": ("name", "名字", "姓名"),
    "called": ("name", "nickname", "名字", "称呼"),
    "budget": ("budget", "预算"),
    "allergic_to": ("allergy", "allergies", "allergic", "过敏"),
    "has_condition": ("health", "condition", "illness", "健康", "病"),
    "has_family": ("family", "家人", "家庭"),
    "likes": ("like", "likes", "喜好", "爱好"),
    "prefers": ("preference", "preferences", "偏好"),
    "version": ("version", "版本"),
}  # fmt: skip
"""What people call what a predicate tells. Set by us."""
# "The user" begins nearly every fact: it names none of them.
_FILLER = regex.compile(
    r"\b(?:my|our|the|about|old|current|new|everything|anything|all|that|fact|users?)\b|我的?|我们的?|关于|那个|这个|用户的?",
    regex.I,
)
NEAR = 0.5
"""Which part of the words a memory must have to be offered, if it is not what was named."""


def wanted(about: str) -> frozenset[str]:
    """Return the words by which something is named."""
    return words_of(_FILLER.sub(" ", about))


def share(about: str, *, text: str, predicate: str, slot: str | None) -> float:
    """Return which part of what is named a memory has, in [0, 1]; 1 = all of it. Nothing named is had by nobody."""
    words = wanted(about)
    if not words:
        return 0.0
    has = words_of(f"{text} {slot or ''}")
    called = words_of(" ".join(ATTRIBUTES.get(predicate, ())))
    return len(words & (has | called)) / len(words)
