"""The keys of a policy that say how memories are consolidated."""

from tenants.policy_key import Key

CONSOLIDATION_KEYS: tuple[Key, ...] = (
    Key(
        name="consolidation.external_model",
        default=True,
        unit="true or false",
        sentence="Whether users' turns and wishes in words, and with recall.rewrite questions, may be sent "
        "to the language model that the site is set up with; without it the rules work alone.",
    ),
)
