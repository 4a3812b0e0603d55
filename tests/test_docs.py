"""The documents name what there is."""

import re
from pathlib import Path

from tenants.policy import KEYS

ROOT = Path(__file__).parent.parent
NOTING = "(?:note_event|note_site_event|note_refusal|_note|begin_job)"
CODE = ("memories", "consolidation", "tenants", "inspector", "memory_site")


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_every_setting_is_in_the_example_and_no_other() -> None:
    asked = set(re.findall(r'(?:env\.\w+|required)\(\s*"([A-Z_]+)"', read("memory_site/settings.py")))
    named = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", read(".env.example"), re.MULTILINE))
    elsewhere = {"OPENBLAS_NUM_THREADS"}  # read by the library itself
    assert asked - named == set()
    assert named - asked - elsewhere == set()


def test_every_event_is_named_in_the_docs() -> None:
    noted = {
        kind
        for room in CODE
        for file in (ROOT / room).rglob("*.py")
        for kind in re.findall(r'"([a-z]+\.[a-z_]+)"', file.read_text(encoding="utf-8"))
        if re.search(rf'{NOTING}\([^)]*?"{re.escape(kind)}"', file.read_text(encoding="utf-8"), re.DOTALL)
    }
    assert {"turn.recorded", "recall.answered", "staff.signed_in", "key.refused", "quota.spent"} <= noted
    missing = {kind for kind in noted if f"`{kind}`" not in read("docs/events.md")}
    assert missing == set()


def test_compose_makes_the_roles_that_the_docs_show() -> None:
    made = re.sub(r"PASSWORD '[^']*'", "PASSWORD", read("deploy/roles.sql").split("\n", 2)[2].strip())
    shown = re.search(r"```sql\n(CREATE ROLE mneme_tenant.*?)```", read("docs/operations.md"), re.DOTALL)
    assert shown is not None
    assert made == re.sub(r"PASSWORD '[^']*'", "PASSWORD", shown[1].strip())


def test_every_key_of_a_policy_is_in_the_docs_with_its_default() -> None:
    row = r"^\| `((?:recall|consolidation|forgetting|trust)\.[a-z_.]+)` \| (\S+) \|"
    rows = dict(re.findall(row, read("docs/policy.md"), re.MULTILINE))
    assert {name: _written(key.default) for name, key in KEYS.items()} == rows


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_problem_is_named_in_the_docs() -> None:
    source = read("memory_site/problem_kinds.py") + read("memory_site/errors.py")
    kinds = set(re.findall(r'Kind\(type="([a-z-]+)"', source))
    assert {"not-mergeable", "internal"} <= kinds
    assert {kind for kind in kinds if f"`{kind}`" not in read("docs/errors.md")} == set()
