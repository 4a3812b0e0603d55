"""The keys of a policy that say how memories are recalled.

Weights of the profiles: Source: design note on recall, recipes B and C; measured again in docs/benchmarks.md.
"""

from collections.abc import Iterator

from tenants.policy_key import Key

PROFILES = ("general", "assistant")
HALF_LIVES = {
    "episodic": 365.0,
    "semantic": 730.0,
    "procedural": None,
    "entity": None,
    "relation": 730.0,
    "catalog": None,
}
_Z = "standard deviations over the pool"
_SHARE = "share"


def _profile(profile: str, **default: float) -> Iterator[Key]:
    """Yield the weights of one profile."""
    said = {
        "window": ("factor", "How much a word counts in the lines around a turn, beside 1 in the turn itself."),
        "dense": ("factor", "How much nearness in meaning counts, beside 1 for words."),
        "dense_with_late": (
            "factor",
            "The same where words are compared one by one as well: that is of meaning, too.",
        ),
        "late": ("factor", "How much the comparison word by word counts, beside 1 for words, where it is set up."),
        "own": (_Z, "What a memory gets that was said by the participant asked about."),
        "graph": (_Z, "What a memory gets that is about an entity the question names; half of it for a neighbour."),
        "session": ("factor", "How much of the best score in the same session each memory of it gets."),
        "rare": (_Z, "What a memory gets that alone has a code, a number or a made-up word of the question."),
    }
    for name, (unit, sentence) in said.items():
        yield Key(name=f"recall.{profile}.{name}", default=default[name], unit=unit, sentence=sentence, maximum=50.0)


RECALL_KEYS: tuple[Key, ...] = (
    Key(
        name="recall.profile",
        default="auto",
        unit="name",
        choices=("auto", *PROFILES),
        sentence="Which weights fuse the legs: general for talk among named people, assistant for one user with an "
        "assistant; auto takes general where more than one participant speaks.",
    ),
    Key(
        name="recall.candidates",
        default=80,
        unit="memories",
        minimum=10,
        maximum=500,
        sentence="How many candidates each leg proposes.",
    ),
    *_profile(
        "general", window=2.0, dense=0.8, dense_with_late=0.4, late=1.0, own=0.5, graph=1.5, session=0.35, rare=8.0
    ),
    *_profile(
        "assistant", window=1.0, dense=1.6, dense_with_late=1.6, late=0.4, own=1.5, graph=1.5, session=0.2, rare=12.0
    ),
    Key(
        name="recall.rerank",
        default=3.0,
        unit="factor",
        maximum=50.0,
        sentence="How much a cross-encoder's score counts, beside 1 for words, where one is set up.",
    ),
    Key(
        name="recall.semantic",
        default=0.8,
        unit="factor",
        maximum=50.0,
        sentence="How much nearness in Elasticsearch's semantic_text counts, beside 1 for words, where it is set up.",
    ),
    Key(
        name="recall.rank_constant",
        default=5,
        unit="places",
        minimum=1,
        maximum=1000,
        sentence="How flat ranks count where Elasticsearch's rrf chooses the candidates; the larger, the flatter.",
    ),
    Key(
        name="recall.rewrite",
        default=False,
        unit="true or false",
        sentence="Ask the language model that the site is set up with how else a question could be worded, and look "
        "for that too; not where consolidation.external_model forbids it.",
    ),
    Key(
        name="recall.rewrite_queries",
        default=3,
        unit="wordings",
        minimum=1,
        maximum=5,
        sentence="How many other wordings of a question are looked for at most.",
    ),
    Key(
        name="recall.rewrite_ms",
        default=1500,
        unit="milliseconds",
        minimum=50,
        maximum=10_000,
        sentence="How long the model is waited for; then the question as asked stands alone.",
    ),
    Key(
        name="recall.rewrite_weight",
        default=0.8,
        unit=_SHARE,
        sentence="How much of the score counts that another wording gives a memory, where that is more than the "
        "question itself gives it; never past a literal match of the question.",
    ),
    Key(
        name="recall.period",
        default=0.3,
        unit=_SHARE,
        sentence="What a memory gains whose time lies in the period that the question names, such as last spring.",
    ),
    Key(
        name="recall.kind",
        default=0.15,
        unit=_SHARE,
        sentence="What a memory gains whose kind fits the kind of question: a playbook for how to, a fact for likes.",
    ),
    Key(
        name="recall.age",
        default=0.05,
        unit=_SHARE,
        maximum=0.9,
        sentence="What a memory loses at most by age: half of it after one half-life.",
    ),
    *(
        Key(
            name=f"recall.half_life_days.{kind}",
            default=days,
            unit="days",
            minimum=0.01,
            maximum=36_500.0,
            nullable=True,
            sentence=f"The half-life of {kind} memories in recall; null: age takes nothing from them.",
        )
        for kind, days in HALF_LIVES.items()
    ),
    Key(
        name="recall.use",
        default=0.05,
        unit=_SHARE,
        sentence="What a memory gains at most by having been recalled before; grows with the logarithm.",
    ),
    Key(
        name="recall.confidence",
        default=0.2,
        unit=_SHARE,
        maximum=0.9,
        sentence="What a memory would lose at a confidence of 0.",
    ),
    Key(
        name="recall.authority",
        default=0.1,
        unit=_SHARE,
        maximum=0.9,
        sentence="What a memory loses at most by where it comes from: nothing from the user or the API, half "
        "of it from a tool or an import, all of it from the web or an assistant.",
    ),
    Key(
        name="recall.importance",
        default=0.1,
        unit=_SHARE,
        maximum=0.9,
        sentence="What a memory gains at importance 1, and loses at 0.",
    ),
    Key(
        name="recall.outcomes",
        default=0.2,
        unit=_SHARE,
        maximum=0.9,
        sentence="What a playbook gains at most when it always worked, and loses when it never did, as far as its "
        "outcomes prove it.",
    ),
    Key(
        name="recall.near_duplicates",
        default=True,
        unit="true or false",
        sentence="Drop a memory that says the same as a better placed one of its kind.",
    ),
    Key(
        name="recall.threshold",
        default=0.0,
        unit="score",
        sentence="Memories whose score is below are left out, where the question names no threshold itself.",
    ),
    Key(
        name="recall.weak",
        default=0.35,
        unit="score",
        sentence="Below this best score an answer's match is none.",
    ),
    Key(
        name="recall.strong",
        default=0.8,
        unit="score",
        sentence="From this best score on an answer's match is strong.",
    ),
    Key(
        name="recall.cache_s",
        default=300,
        unit="seconds",
        maximum=3600,
        sentence="How long what the search engine answered is kept for the same question, as long as nothing was "
        "written meanwhile; 0: not at all.",
    ),
    Key(
        name="recall.log_days",
        default=30,
        unit="days",
        maximum=3650,
        sentence="How long a recall can be replayed; 0: none is kept.",
    ),
)
