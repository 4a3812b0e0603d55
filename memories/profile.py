"""Profile: which part of a person's life a fact is about, by its category and by the kind of statement it is."""

from collections.abc import Mapping

GROUPS = ("identity", "contacts", "work", "family", "health", "preferences", "possessions")
_CATEGORIES: Mapping[str, str] = {
    "person": "identity",
    "home": "identity",
    "work": "work",
    "family": "family",
    "health": "health",
    "preference": "preferences",
    "leisure": "preferences",
    "possession": "possessions",
}
_PREDICATES: Mapping[str, str] = {
    predicate: group
    for group, predicates in (
        (
            "identity",
            "name called nickname pronouns age born birthday comes_from nationality speaks religion zodiac height "
            "weight time_zone lives_in",
        ),
        ("contacts", "email phone address"),
        (
            "work",
            "works_for works_as works_in works_from manages studies studies_at studies_in major graduated teaches",
        ),
        ("family", "has_family status raised"),
        ("health", "has_condition allergic_to takes diet smokes"),
        (
            "preferences",
            "likes dislikes prefers avoids favourite ships_with shops_at flies_with drinks eats plays does",
        ),
        ("possessions", "has uses drives rides wears collects subscribes_to device version"),
    )
    for predicate in predicates.split()
}
_CONTACTS = frozenset({"email", "phone", "address"})


def group_of(category: str, predicate: str) -> str | None:
    """Return the part of life that a fact is about; None for what says nothing lasting of the person.

    category: empty where it must not be told from.
    """
    if predicate in _CONTACTS:
        return "contacts"
    return _CATEGORIES.get(category) if category else _PREDICATES.get(predicate)
