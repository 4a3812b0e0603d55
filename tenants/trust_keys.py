"""The keys of a policy that say what is believed of whom."""

from tenants.policy_key import Key

TRUST_KEYS: tuple[Key, ...] = (
    Key(
        name="trust.recall_quarantined",
        default=False,
        unit="true or false",
        sentence="Whether turns from a tool or the web that instruct their reader are recalled like others; without "
        "it they are kept in quarantine until somebody accepts them. It holds for what is recorded from then on.",
    ),
)
