"""Run the probes under an attacker's key, and name what came of each."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from elasticsearch import ApiError, Elasticsearch

from backends.search import names
from backends.search.attack import Finding, Outcome, Target
from backends.search.elasticsearch.attack import cluster, counts, documents, searches
from backends.search.elasticsearch.attack.probe import Json, Probe, filled
from backends.search.elasticsearch.descriptors import FUSION_PRIVILEGES
from backends.search.elasticsearch.parts import Parts, concrete_indexes
from backends.search.reach import Credential

PROBES = (*searches.PROBES, *counts.PROBES, *documents.PROBES, *cluster.PROBES)

_REFUSED = frozenset({401, 403})
_REFUSED_INSIDE = ("security_exception", '"status": 403')
"""In the parts of a multiple answer, and where the engine gives another status to its refusal."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
_PLACE = re.compile(r" in \d+\)")
"""Of a document in its segment, in an explanation."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+(?:[eE]-?\d+)?)?")


_INDEX_PLACES = ("<read>", "<write>", "<index>")


def attack(
    client: Elasticsearch, parts: Parts, target: Target, *, using: Credential, victim_key: str, own: int
) -> list[Finding]:
    """Try every probe; where the victim has indexes of its own, on those as well.

    client: the site's own, which opens a scroll and a point in time to be stolen. own: documents in the attacker's
    reach. victim_key: id of a key that must outlive the attack.
    """
    mine, theirs = (parts.of(names.EPISODIC, reach.tenant_id) for reach in (target.reach, target.victim))
    apart = mine != theirs
    known = {probe.name: probe.known_by_index if apart else probe.known for probe in PROBES}
    if set(FUSION_PRIVILEGES) <= set(parts.privileges):
        known["point in time: open"] = Outcome.OWN
    findings = _run(client, PROBES, target, part=mine, using=using, victim_key=victim_key, own=own, known=known)
    if apart:
        on_index = [probe for probe in PROBES if any(place in repr(probe) for place in _INDEX_PLACES)]
        theirs_known = {probe.name: Outcome.REFUSED for probe in on_index}
        other = _run(
            client, on_index, target, part=theirs, using=using, victim_key=victim_key, own=own, known=theirs_known
        )
        findings += [replace(found, name=f"the victim's index: {found.name}", or_absent=True) for found in other]
    return findings


def _run(
    client: Elasticsearch,
    probes: Sequence[Probe],
    target: Target,
    *,
    part: str,
    using: Credential,
    victim_key: str,
    own: int,
    known: Mapping[str, Outcome],
) -> list[Finding]:
    alias = names.read_alias(part)
    pit = client.open_point_in_time(index=alias, keep_alive="2m")["id"]
    scroll = client.search(index=alias, scroll="2m", size=1, query={"match_all": {}})["_scroll_id"]
    places = {
        **_placeholders(client, part, target),
        "<pit>": pit,
        "<scroll>": scroll,
        "<own key>": using.id,
        "<victim key>": victim_key,
    }
    attacker = client.options(api_key=using.secret)
    try:
        findings = [_tried(attacker, probe, target, places, own) for probe in probes]
    finally:
        gone = client.options(ignore_status=404)
        gone.close_point_in_time(id=pit)
        gone.clear_scroll(scroll_id=scroll)
    return [replace(finding, known=known[finding.name]) for finding in findings]


def _placeholders(client: Elasticsearch, part: str, target: Target) -> dict[str, Json]:
    """Return what stands for each placeholder, the longest first: a name may begin with another's."""
    word = target.secrets[0]
    return {
        "<read>": names.read_alias(part),
        "<write>": names.write_alias(part),
        "<index>": concrete_indexes(client, [part])[0],
        "<own tenant>": str(target.reach.tenant_id),
        "<own document>": names.document_id(target.reach.tenant_id, target.own_id),
        "<victim tenant>": str(target.victim.tenant_id),
        "<victim document>": names.document_id(target.victim.tenant_id, target.victim_id),
        "<victim word>": word,
        "<victim prefix>": word[:5],
        "<victim misspelt>": word[:-1],
        "<vector>": [1.0] + [0.0] * 383,
    }


def _tried(client: Elasticsearch, probe: Probe, target: Target, places: Mapping[str, Json], own: int) -> Finding:
    words = (target.common_word, target.own_word) if probe.twice else (target.own_word,)
    answers = [_sent(client, probe, {**places, "<word>": word}) for word in words]
    found, detail = _judged(probe, target, answers[0], own)
    if probe.twice and found is Outcome.OWN and _numbers(answers[0][1], target) != _numbers(answers[1][1], target):
        found = Outcome.STATISTICS
    return Finding(name=probe.name, known=probe.known, found=found, or_absent=probe.or_absent, detail=detail)


Answer = tuple[int, Any, str]
"""HTTP status, body, and all that was sent."""


def _sent(client: Elasticsearch, probe: Probe, places: Mapping[str, Json]) -> Answer:
    path, body = filled(probe.path, places), filled(probe.body, places)
    if path.startswith("//"):
        path = path[1:]
    headers = {"accept": "application/json"}
    if isinstance(body, list):
        headers["content-type"] = "application/x-ndjson"
    elif body is not None:
        headers["content-type"] = "application/json"
    asked = json.dumps([path, body])
    try:
        answer = client.perform_request(probe.method, path, headers=headers, body=body)
    except ApiError as error:
        return error.meta.status, error.body, asked
    body = getattr(answer, "body", answer)
    return answer.meta.status, body, asked


def _judged(probe: Probe, target: Target, answer: Answer, own: int) -> tuple[Outcome, str]:
    status, body, asked = answer
    text = json.dumps(body, ensure_ascii=False, default=str)
    detail = f"HTTP {status}"
    if any(secret in text and secret not in asked for secret in target.secrets):
        return Outcome.LEAKED, detail
    if status in _REFUSED or any(mark in text for mark in _REFUSED_INSIDE):
        return Outcome.REFUSED, detail
    if status >= 400:
        kind = body.get("error") if isinstance(body, Mapping) else None
        reason = kind.get("type", "") if isinstance(kind, Mapping) else ""
        return Outcome.ABSENT, f"{detail} {reason}".strip()
    if probe.writes:
        return Outcome.CHANGED, detail
    for place in probe.numbers:
        value = _at(body, place)
        if value is not None and value > own:
            return Outcome.LEAKED, f"{place} is {value}, own are {own}"
    return Outcome.OWN, detail


def _at(body: Json, place: str) -> int | None:
    for part in place.split("."):
        if isinstance(body, Mapping):
            body = body.get(part)
        elif isinstance(body, list) and part.isdigit() and int(part) < len(body):
            body = body[int(part)]
        else:
            return None
    return int(body) if isinstance(body, int) or (isinstance(body, str) and body.isdigit()) else None


def _numbers(body: Json, target: Target) -> list[str]:
    """Return the numbers of an answer, but for the time it took and those in ids and words."""
    kept = {key: value for key, value in body.items() if key != "took"} if isinstance(body, Mapping) else body
    text = _PLACE.sub("", _UUID.sub("", json.dumps(kept, default=str)))
    for word in (target.common_word, target.own_word):
        text = text.replace(word, "")
    return _NUMBER.findall(text)
