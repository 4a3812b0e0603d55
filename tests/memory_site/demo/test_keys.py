from pathlib import Path

import pytest

from memory_site.demo.failure import ApiFailed
from memory_site.demo.keys import read_keys


def test_url_and_keys_are_read(tmp_path: Path) -> None:
    file = tmp_path / "local.json"
    file.write_text(
        '{"url": "http://127.0.0.1:1", "tenants": {"acme": {"api_key": "k1"}, "globex": {"api_key": "k2"}}}'
    )
    keys = read_keys(file, ["acme"])
    assert keys.url == "http://127.0.0.1:1"
    assert keys.by_tenant == {"acme": "k1"}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("not json", "is not JSON"),
        ("[]", "must look like"),
        ('{"tenants": {"acme": {}}}', "has no key for acme, globex"),
        ('{"tenants": {"acme": {"api_key": "k"}, "globex": "k"}}', "has no key for globex"),
    ],
)
def test_a_file_without_the_keys_is_refused_in_one_sentence(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "local.json"
    file.write_text(content)
    with pytest.raises(ApiFailed, match=complaint):
        read_keys(file, ["acme", "globex"])


def test_a_missing_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ApiFailed, match="cannot be read"):
        read_keys(tmp_path / "none.json", ["acme"])
