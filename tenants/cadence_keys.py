"""The keys of a policy that say when users' turns are consolidated."""

from tenants.policy_key import Key

CADENCE_KEYS: tuple[Key, ...] = (
    Key(
        name="consolidation.after_turns",
        default=20,
        unit="turns",
        minimum=1.0,
        maximum=10_000.0,
        sentence="A user's new turns are consolidated once there are so many.",
    ),
    Key(
        name="consolidation.quiet_minutes",
        default=15.0,
        unit="minutes",
        maximum=10_080.0,
        nullable=True,
        sentence="They are, too, once a conversation has been quiet for so long; null: quiet changes nothing.",
    ),
    Key(
        name="consolidation.after_hours",
        default=24.0,
        unit="hours",
        minimum=0.01,
        maximum=720.0,
        sentence="They are at the latest when the oldest has waited for so long.",
    ),
    Key(
        name="consolidation.per_turn",
        default=False,
        unit="true or false",
        sentence="Consolidate each turn as soon as the worker looks, for a demo.",
    ),
    Key(
        name="consolidation.nightly",
        default=True,
        unit="true or false",
        sentence="Read the day once more in the quiet hour, conversations as a whole, for what single turns did not "
        "tell.",
    ),
)
