"""The keys of a policy that say how memories are forgotten."""

from tenants.policy_key import Key

_LIVES = {"episodic": 90.0, "semantic": 365.0, "procedural": None}
_STRENGTH = "strength"

FORGETTING_KEYS: tuple[Key, ...] = (
    *(
        Key(
            name=f"forgetting.half_life_days.{kind}",
            default=days,
            unit="days",
            minimum=0.01,
            maximum=36_500.0,
            nullable=True,
            sentence=f"Days without an access after which {kind} memories are held half as strongly; null: they do "
            "not fade.",
        )
        for kind, days in _LIVES.items()
    ),
    Key(
        name="forgetting.use",
        default=0.5,
        unit="share",
        sentence="How far use raises the importance a memory was written with towards 1, at most; grows with the "
        "logarithm of recalls and repetitions.",
    ),
    Key(
        name="forgetting.warm_below",
        default=0.25,
        unit=_STRENGTH,
        sentence="Below this strength an active memory counts as warm, from it on as hot.",
    ),
    Key(
        name="forgetting.archive_below",
        default=0.05,
        unit=_STRENGTH,
        nullable=True,
        sentence="Memories whose strength falls below are archived in the night; null: none is.",
    ),
    Key(
        name="forgetting.keep_from",
        default=0.8,
        unit="importance",
        sentence="Memories written with this importance or more are never archived.",
    ),
    Key(
        name="forgetting.summarise_below",
        default=0.15,
        unit=_STRENGTH,
        nullable=True,
        sentence="Episodes of one conversation whose strength falls below are compressed into a summary and archived "
        "in its favour; null: none is.",
    ),
    Key(
        name="forgetting.summary_episodes",
        default=4,
        unit="episodes",
        minimum=2.0,
        maximum=1_000.0,
        sentence="So many of one conversation at least make a summary; fewer only fade.",
    ),
    Key(
        name="forgetting.delete_after_days",
        default=None,
        unit="days",
        minimum=1.0,
        maximum=36_500.0,
        nullable=True,
        sentence="Archived memories that nobody recalled for so long are deleted; null: never.",
    ),
    Key(
        name="forgetting.hour",
        default=3,
        unit="hour, UTC",
        maximum=23.0,
        sentence="The quiet hour in which forgetting and the second reading of the day begin.",
    ),
)
