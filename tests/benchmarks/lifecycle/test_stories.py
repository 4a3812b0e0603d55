from collections import Counter

import pytest

from benchmarks.lifecycle.small_talk import small_talk
from benchmarks.lifecycle.stories import LANGUAGES, SURFACES, TALK_A_USER, read_stories

STORIES = read_stories()


def test_every_gold_is_told_and_asked_of_its_own_user() -> None:
    owners = {said.id: told.user for told in STORIES.told for said in told.turns if said.id}
    owners |= {fact.id: fact.user for fact in STORIES.facts}
    owners |= {playbook["id"]: playbook["user"] for playbook in STORIES.playbooks}
    owners |= {document["id"]: None for document in STORIES.catalog}
    for ask in STORIES.asks:
        for known in (*ask.gold, *ask.absent):
            assert owners[known] in (ask.user, None), (ask.text, known)


def test_half_is_chinese_and_every_surface_is_asked_in_both_languages() -> None:
    counted = Counter((ask.language, ask.surface) for ask in STORIES.asks)
    assert len(STORIES.asks) >= 180
    for surface in (*SURFACES, "unanswerable", "expired"):
        assert counted["en", surface] == counted["zh", surface] > 0
    assert sum(ask.surface == "unanswerable" for ask in STORIES.asks) >= 30


def test_what_has_an_answer_is_a_surface_and_nothing_else() -> None:
    for ask in STORIES.asks:
        assert bool(ask.gold) == (ask.surface in SURFACES), ask.text


def test_ids_are_of_one_thing_each() -> None:
    ids = [said.id for told in STORIES.told for said in told.turns if said.id]
    ids += [fact.id for fact in STORIES.facts]
    ids += [thing["id"] for things in (STORIES.playbooks, STORIES.catalog) for thing in things]
    assert len(ids) == len(set(ids))


def test_a_successor_is_of_the_same_user_and_slot_and_later() -> None:
    for fact in STORIES.facts:
        if fact.supersedes is not None:
            old = STORIES.fact[fact.supersedes]
            assert (old.user, old.body["slot"]) == (fact.user, fact.body["slot"])
            assert old.stage < fact.stage


def test_there_is_much_small_talk_and_none_twice() -> None:
    talk = [said.text for told in STORIES.told if told.session.startswith("talk-") for said in told.turns]
    assert len(talk) == len(set(talk)) == 6 * TALK_A_USER


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_talk_is_the_same_each_time(language: str) -> None:
    assert small_talk(language, 50, seed=3) == small_talk(language, 50, seed=3)
    assert small_talk(language, 50, seed=3) != small_talk(language, 50, seed=4)


def test_too_much_small_talk_is_refused() -> None:
    with pytest.raises(ValueError, match="en: the pieces"):
        small_talk("en", 1_000_000, seed=1)
