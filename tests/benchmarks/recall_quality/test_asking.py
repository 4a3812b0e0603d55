from benchmarks.recall_quality.asking import ranks_of


def test_ranks_are_those_of_the_gold_turns_in_their_order() -> None:
    assert ranks_of(["D1:3", "D9:9", "D1:1"], ["D1:1", "D1:2", "D1:3"]) == (3, None, 1)


def test_a_turn_returned_twice_counts_where_it_came_first() -> None:
    assert ranks_of(["D1:1"], ["D1:2", "D1:1", "D1:1"]) == (2,)
