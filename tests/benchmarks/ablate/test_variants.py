import pytest

from benchmarks.ablate.variants import ALWAYS, read_weights, variants
from tenants.policy import KEYS


def test_every_variant_changes_keys_that_there_are_to_what_they_may_hold() -> None:
    for name, changes in {**variants(), "always": ALWAYS}.items():
        for key, value in changes.items():
            assert key in KEYS, name
            assert KEYS[key].checked(value) == value


def test_each_weight_of_a_profile_and_each_share_is_taken_away_once() -> None:
    taken = {key for name, changes in variants().items() if name.startswith("- ") for key in changes}
    weights = {key for key in KEYS if key.startswith(("recall.general.", "recall.assistant."))}
    shares = {key for key, known in KEYS.items() if known.unit == "share" and key.startswith("recall.")}
    assert weights | shares <= taken
    assert next(iter(variants().items())) == ("whole", {})


def test_weights_are_read_as_numbers_words_and_yes_or_no() -> None:
    assert read_weights(["general.dense=0", "recall.profile=assistant", "near_duplicates=false"]) == {
        "recall.general.dense": 0.0,
        "recall.profile": "assistant",
        "recall.near_duplicates": False,
    }


@pytest.mark.parametrize("written", ["general.dense", "=1", "general.dense="])
def test_other_forms_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="key=value"):
        read_weights([written])
