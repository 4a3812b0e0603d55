from benchmarks.read_your_writes.sentences import FILLERS, QUESTIONS, STATEMENTS, Language
from benchmarks.read_your_writes.trials import HAN, LONG_CHARACTERS, LONG_EVERY, make_trials

TRIALS = make_trials(600, seed=7)


def test_the_seed_decides_everything() -> None:
    assert make_trials(600, seed=7) == TRIALS
    assert make_trials(600, seed=8) != TRIALS


def test_no_word_occurs_twice_and_each_stands_in_its_turn_and_question() -> None:
    assert len({trial.word for trial in TRIALS}) == len(TRIALS)
    for trial in TRIALS:
        assert trial.word in trial.statement
        assert trial.word in trial.question


def test_every_tenth_turn_is_about_a_thousand_characters_long() -> None:
    assert [trial.index for trial in TRIALS if trial.is_long] == list(range(LONG_EVERY - 1, 600, LONG_EVERY))
    for trial in TRIALS:
        if trial.is_long:
            assert LONG_CHARACTERS <= len(trial.statement) < LONG_CHARACTERS + 120
        else:
            assert len(trial.statement) < 120


def test_both_languages_occur_and_chinese_words_in_both_scripts() -> None:
    chinese = [trial for trial in TRIALS if trial.language is Language.CHINESE]
    assert 200 < len(chinese) < 400
    latin = [trial for trial in chinese if trial.word.isascii()]
    assert 50 < len(latin) < len(chinese) - 50


def test_a_statement_or_question_has_one_place_for_the_word_and_a_filler_none() -> None:
    for language in Language:
        assert all(text.count("{word}") == 1 for text in (*STATEMENTS[language], *QUESTIONS[language]))
        assert not any("{" in text for text in FILLERS[language])


def test_no_character_for_names_is_listed_twice() -> None:
    assert len(set(HAN)) == len(HAN)
