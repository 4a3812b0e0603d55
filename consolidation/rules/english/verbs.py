"""Verbs by which people say what holds of them: I live in, I work for, I like."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb with what may follow it.

    base, third, ing, past: its forms; base may name several, the first is the one that is written.
    preps: what must follow; the one said is kept. slot: where one value holds at a time.
    acts: a habit only where an adverb or a time says so ("I usually drink tea").
    """

    base: str
    third: str
    ing: str
    past: str
    predicate: str
    preps: str = ""
    slot: str | None = None
    category: str = ""
    importance: float = 0.5
    acts: bool = False


VERBS: tuple[Verb, ...] = (
    Verb(base="live", third="lives", ing="living", past="lived", preps="with", predicate="lives_with", category="family", importance=0.6),
    Verb(base="live", third="lives", ing="living", past="lived", preps=r"in|at|on(?=\s(?:the\s)?(?-i:[A-Z]))|near|outside|just outside|close to", predicate="lives_in",
         slot="residence", category="home", importance=0.8),
    Verb(base="reside", third="resides", ing="residing", past="resided", preps="in|at", predicate="lives_in", slot="residence", category="home", importance=0.8),
    Verb(base="work", third="works", ing="working", past="worked", preps="as", predicate="works_as", slot="occupation", category="work", importance=0.7),
    Verb(base="work", third="works", ing="working", past="worked", preps="from", predicate="works_from", slot="workplace", category="work"),
    Verb(base="work", third="works", ing="working", past="worked", preps="for|at", predicate="works_for", slot="employer", category="work", importance=0.7),
    Verb(base="work", third="works", ing="working", past="worked", preps="in", predicate="works_in", category="work", importance=0.6),
    Verb(base="study|am studying", third="studies", ing="studying", past="studied", preps="at", predicate="studies_at", slot="school", category="work"),
    Verb(base="study", third="studies", ing="studying", past="studied", predicate="studies", category="work"),
    Verb(base="teach", third="teaches", ing="teaching", past="taught", predicate="teaches", category="work"),
    Verb(base="run", third="runs", ing="running", past="ran", preps="a|an|my|my own|our", predicate="runs", category="work"),
    Verb(base="manage|lead", third="manages", ing="managing", past="managed", preps="a|an|the|my|our", predicate="manages", category="work"),
    Verb(base="prefer", third="prefers", ing="preferring", past="preferred", predicate="prefers", category="preference", importance=0.6),
    Verb(base="love|adore", third="loves", ing="loving", past="loved", predicate="likes", category="preference", importance=0.5),
    Verb(base="like|enjoy", third="likes", ing="enjoying", past="liked", predicate="likes", category="preference", importance=0.5),
    Verb(base="hate|detest|can't stand|cannot stand|loathe|despise", third="hates", ing="hating", past="hated", predicate="dislikes", category="preference", importance=0.5),
    Verb(base="dislike", third="dislikes", ing="disliking", past="disliked", predicate="dislikes", category="preference"),
    Verb(base="avoid", third="avoids", ing="avoiding", past="avoided", predicate="avoids", category="preference"),
    Verb(base="use", third="uses", ing="using", past="used", predicate="uses", category="possession"),
    Verb(base="drive", third="drives", ing="driving", past="drove", predicate="drives", category="possession", preps="a|an|my|the"),
    Verb(base="own", third="owns", ing="owning", past="owned", predicate="has", category="possession"),
    Verb(base="ride", third="rides", ing="riding", past="rode", preps="a|an|my", predicate="rides", category="possession"),
    Verb(base="speak", third="speaks", ing="speaking", past="spoke", predicate="speaks", category="person"),
    Verb(base="play", third="plays", ing="playing", past="played", predicate="plays", category="leisure"),
    Verb(base="collect", third="collects", ing="collecting", past="collected", predicate="collects", category="leisure"),
    Verb(base="volunteer", third="volunteers", ing="volunteering", past="volunteered", preps="at|for|with", predicate="volunteers", category="leisure"),
    Verb(base="support", third="supports", ing="supporting", past="supported", predicate="supports", category="leisure"),
    Verb(base="belong", third="belongs", ing="belonging", past="belonged", preps="to", predicate="belongs_to", category="leisure"),
    Verb(base="subscribe", third="subscribes", ing="subscribing", past="subscribed", preps="to", predicate="subscribes_to", category="possession"),
    Verb(base="bank", third="banks", ing="banking", past="banked", preps="with|at", predicate="banks_with", slot="bank", category="possession"),
    Verb(base="commute", third="commutes", ing="commuting", past="commuted", preps="by|to|from|via|on", predicate="commutes", category="work"),
    Verb(base="take", third="takes", ing="taking", past="took", predicate="takes", category="health", importance=0.7, acts=True),
    Verb(base="eat", third="eats", ing="eating", past="ate", predicate="eats", category="preference", acts=True),
    Verb(base="drink", third="drinks", ing="drinking", past="drank", predicate="drinks", category="preference", acts=True),
    Verb(base="cycle|bike", third="cycles", ing="cycling", past="cycled", preps="to", predicate="commutes", category="leisure", acts=True),
    Verb(base="go", third="goes", ing="going", past="went", preps="running|swimming|climbing|hiking|cycling|to the gym|to church|to bed|to school|jogging|sailing|fishing|skiing|camping",
         predicate="does", category="leisure", acts=True),
    Verb(base="wake up|get up", third="wakes up", ing="waking up", past="woke up", preps="at", predicate="wakes_at", slot="wakes_at", category="person", acts=True),
    Verb(base="buy|order", third="buys", ing="buying", past="bought", predicate="buys", category="preference", acts=True),
    Verb(base="shop", third="shops", ing="shopping", past="shopped", preps="at", predicate="shops_at", category="preference"),
    Verb(base="ship", third="ships", ing="shipping", past="shipped", preps="with|by|via", predicate="ships_with", category="preference", acts=True),
    Verb(base="fly", third="flies", ing="flying", past="flew", preps="with", predicate="flies_with", category="preference", acts=True),
    Verb(base="wear", third="wears", ing="wearing", past="wore", predicate="wears", category="person", acts=True),
    Verb(base="suffer", third="suffers", ing="suffering", past="suffered", preps="from", predicate="has_condition", category="health", importance=0.8),
    Verb(base="come", third="comes", ing="coming", past="came", preps="from", predicate="comes_from", slot="origin", category="person"),
    Verb(base="support|back", third="supports", ing="supporting", past="supported", predicate="supports", category="leisure"),
    Verb(base="follow", third="follows", ing="following", past="followed", preps="a|an|the", predicate="follows", category="leisure", acts=True),
    Verb(base="smoke", third="smokes", ing="smoking", past="smoked", predicate="smokes", category="health", acts=True),
)  # fmt: skip
