"""The attack on the walls of this site: two tenants of its own, what one has, and all that the other can try."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import httpx

from backends.errors import BackendError
from backends.search.attack import Finding, Target
from backends.search.base import SearchEngine
from compliance.services.attack.operations import operations
from compliance.services.attack.planted import API, Planted, plant
from compliance.services.attack.product import Breach, attack_product
from compliance.services.attack.record import attack_record
from tenants.ids import uuid7
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.authenticate import scope_of
from tenants.services.create_tenant import create_tenant, system_scope
from tenants.services.engine_credential import engine_credential, reach_of
from tenants.services.issue_key import KEY_ABILITIES, IssuedKey, issue_key
from tenants.services.open_scope import open_scope
from tenants.services.revoke_key import revoke_key

log = logging.getLogger(__name__)

INSIDE = "attack"
"""The compartment that one key of the victim's tenant holds."""
Connect = Callable[[str], httpx.Client]
"""From the secret of a key to a client of the API that sends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the attack found. tried: operations of the API, each with every id in every place."""

    engine: Sequence[Finding]
    record: Sequence[Finding]
    breaches: Sequence[Breach]
    tried: int
    slugs: Sequence[str]

    @property
    def holds(self) -> bool:
        """Say whether every wall did what is known of it, and the product let nothing out."""
        return not self.breaches and not any(finding.differs for finding in (*self.engine, *self.record))


def attack_isolation(
    connect: Connect, engine: SearchEngine, *, synced: Callable[[httpx.Client], None], now: datetime
) -> Report:
    """Attack with real keys and real credentials of the engine.

    1. Two tenants, the same external ids in both; what the victim has, and two words of the attacker's own.
    2. The engine under the attacker's credential. 3. The record inside the attacker's scope. 4. The product: with
    another tenant's key; within the victim's tenant with the key of one user, and one that lacks a compartment.
    5. The keys of both tenants are revoked, also when the attack is broken off.
    synced: returns when the engine shows what was planted.
    Raises PlantingFailed; Unavailable, Rejected or Refused, as the engine does.
    """
    slugs = [f"attack-{secrets.token_hex(5)}-{side}" for side in ("a", "b")]
    attacker, victim = (create_tenant(slug=slug, name="", abilities=KEY_ABILITIES, now=now) for slug in slugs)
    inside = issue_key(
        system_scope(victim.key.tenant_id), name="inside", abilities=KEY_ABILITIES, compartments=[INSIDE], now=now
    )
    user = _key_of_another_user(victim, now=now)
    common, own = (f"{letter}{secrets.token_hex(7)}0" for letter in "cw")  # a digit at the end: no stem
    with (
        _revoked_after((attacker, victim, inside, user), engine, now=now),
        connect(attacker.secret) as attacking,
        connect(victim.secret) as attacked,
        connect(user.secret) as beside,
        connect(inside.secret) as within,
    ):
        theirs = plant(attacked, user_id="u1", words=[common])
        mine = plant(attacking, user_id="u1")
        for word in (common, own):
            _say(attacking, word)
        alone = plant(attacked, user_id="u2", catalog=False)
        kept = plant(within, user_id="u2", compartments=[INSIDE])
        synced(attacked)
        synced(attacking)
        target = _target(attacker, victim, mine, theirs, words=(common, own))
        credential = engine_credential(_scope(attacker), engine, now=now)
        other = engine_credential(_scope(victim), engine, now=now)
        on_engine = engine.attack(target, using=credential, victim_key=other.id)
        on_record = attack_record(_scope(attacker), victim=_scope(victim), planted=theirs, unknown=str(uuid7()))
        ways = operations(attacking)
        walls = {
            "tenant": (attacking, _with_keys(theirs, victim, inside, user)),
            "user": (beside, _with_keys(alone, victim, inside)),
            "compartment": (attacked, kept),
        }
        breaches = [
            replace(breach, wall=wall)
            for wall, (client, planted) in walls.items()
            for way in ways
            for breach in attack_product(client, way, planted)
        ]
    return Report(engine=on_engine, record=on_record, breaches=breaches, tried=len(ways), slugs=slugs)


@contextmanager
def _revoked_after(keys: Sequence[IssuedKey], engine: SearchEngine, *, now: datetime) -> Iterator[None]:
    """Revoke keys when the block ends, however it does; where the engine does not confirm, the worker asks again."""
    try:
        yield
    finally:
        for issued in keys:
            try:
                revoke_key(system_scope(issued.key.tenant_id), issued.key.id, engine=engine, now=now)
            except BackendError as error:
                log.warning("the engine did not confirm the end of key %s: %s", issued.key.prefix, error)


def _with_keys(planted: Planted, *keys: IssuedKey) -> Planted:
    """Return what is planted with the ids of keys, which the attacker may not see, rotate or revoke."""
    ids = [str(issued.key.id) for issued in keys]
    return replace(planted, ids=[*planted.ids, *ids], things=[*planted.things, *ids])


def _say(client: httpx.Client, word: str) -> None:
    turn = {"user_id": "u1", "session_id": word, "content": f"seen {word} here"}
    client.post(f"{API}turns/", json=turn).raise_for_status()


def _scope(issued: IssuedKey) -> Scope:
    return scope_of(issued.key, request_id="attack")


def _target(
    attacker: IssuedKey, victim: IssuedKey, mine: Planted, theirs: Planted, *, words: tuple[str, str]
) -> Target:
    return Target(
        reach=reach_of(_scope(attacker)),
        victim=reach_of(_scope(victim)),
        own_id=UUID(mine.memory_id),
        victim_id=UUID(theirs.memory_id),
        secrets=[*theirs.secrets, str(victim.key.tenant_id)],
        common_word=words[0],
        own_word=words[1],
    )


def _key_of_another_user(victim: IssuedKey, *, now: datetime) -> IssuedKey:
    scope = system_scope(victim.key.tenant_id)
    with open_scope(scope):
        subject = Subject.objects.create(id=uuid7(), tenant_id=scope.tenant_id, external_id="u3", created_at=now)
    return issue_key(scope, name="one user", subject=subject, abilities=KEY_ABILITIES, now=now)
