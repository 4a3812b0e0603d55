"""Digests: equal stores have equal ones, whatever the order; days come from the ids themselves."""

from datetime import UTC, datetime
from random import Random
from uuid import UUID, uuid4

from backends.search.digests import day_of, digests, of_days
from tenants.ids import uuid7


def test_order_does_not_matter_and_every_difference_does() -> None:
    random = Random(7)  # noqa: S311
    stored = [(uuid7(), random.randrange(2**62)) for _ in range(200)]
    mixed = random.sample(stored, k=len(stored))
    assert mixed != stored
    assert digests(mixed) == digests(stored)
    for index, (object_id, version) in enumerate(stored):
        others = stored[:index] + stored[index + 1 :]
        assert digests(others) != digests(stored)
        assert digests([*others, (object_id, version + 1)]) != digests(stored)
        assert digests([*others, (uuid7(), version)]) != digests(stored)


def test_the_day_is_that_of_the_id() -> None:
    today = int(datetime.now(UTC).timestamp()) // 86_400
    assert day_of(uuid7()) in (today, today + 1)
    day_of(uuid4())  # some day, far away
    mine, far = (uuid7(), 1), (UUID(int=0), 2)
    assert list(of_days([mine, far], {today, today + 1})) == [mine]
