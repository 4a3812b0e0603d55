"""The contract of every search engine, inherited by each engine's test."""

from tests.backends.attack_contract import AttackContract
from tests.backends.filters_contract import FiltersContract
from tests.backends.isolation_contract import IsolationContract
from tests.backends.legs_contract import LegsContract
from tests.backends.passages_contract import PassagesContract
from tests.backends.times_contract import TimesContract
from tests.backends.writing_contract import WritingContract


class SearchContract(
    LegsContract, PassagesContract, TimesContract, FiltersContract, WritingContract, IsolationContract, AttackContract
):
    """The whole contract. A subclass gives the fixture `engine`, whose indexes or tables are there."""
