"""Policy: what a tenant may set about how its memory works; every key has a default, a unit and a sentence."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from tenants.cadence_keys import CADENCE_KEYS
from tenants.consolidation_keys import CONSOLIDATION_KEYS
from tenants.forgetting_keys import FORGETTING_KEYS
from tenants.policy_key import Key, PolicyInvalid, Value
from tenants.recall_keys import RECALL_KEYS
from tenants.trust_keys import TRUST_KEYS

KEYS: Mapping[str, Key] = {
    key.name: key for key in (*RECALL_KEYS, *CONSOLIDATION_KEYS, *CADENCE_KEYS, *FORGETTING_KEYS, *TRUST_KEYS)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One version of a tenant's policy. version: 0 = never changed. said: what differs from the defaults."""

    version: int
    said: Mapping[str, Value]

    @classmethod
    def of(cls, said: Mapping[str, object], *, version: int) -> Self:
        """Return a policy as it was stored; what no policy says any more is passed over."""
        known: dict[str, Value] = {}
        for name, value in said.items():
            with suppress(KeyError, PolicyInvalid):
                known[name] = KEYS[name].checked(value)
        return cls(version=version, said=known)

    def changed(self, changes: Mapping[str, object], *, reset: Collection[str] = ()) -> dict[str, Value]:
        """Return what would be said with the changes; reset: keys that go back to their defaults.

        Raises PolicyInvalid, when a key is unknown, or would hold what it cannot.
        """
        said = dict(self.said)
        for name in (*changes, *reset):
            if name not in KEYS:
                raise PolicyInvalid(name, "is no key of a policy; GET policy/ lists them")
        for name, value in changes.items():
            said[name] = KEYS[name].checked(value)
        for name in reset:
            said.pop(name, None)
        return {name: value for name, value in said.items() if value != KEYS[name].default}

    def __getitem__(self, name: str) -> Value:
        return self.said[name] if name in self.said else KEYS[name].default

    def number(self, name: str) -> float:
        """Return what a key holds that holds a number."""
        value = self[name]
        if not isinstance(value, int | float):
            raise TypeError(f"{name} holds no number")
        return float(value)

    def text(self, name: str) -> str:
        """Return what a key holds that holds a text."""
        return str(self[name])

    def values(self) -> Iterator[tuple[str, Value]]:
        """Yield every key with what it holds."""
        for name in KEYS:
            yield name, self[name]


DEFAULT = Policy(version=0, said={})
