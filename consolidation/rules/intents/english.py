"""Forget that I like blue, I like green; what do you know about my job; remember that …; change my … to … ."""

import regex

from consolidation.rules.intents.asked import Asked, Verb

_LEAD = regex.compile(
    r"^(?:(?:hey|hi|ok|okay|please|pls|kindly|now|actually|and|so|just|also|well|"
    r"(?:can|could|would|will) you(?: please)?|(?:I want|I'd like|I would like|I need) you to|you (?:can|should|may))[,.!]?\s+)+",
    regex.I,
)
_QUESTION = regex.compile(
    r"^(?:what|which|where|when|who|whom|whose|why|how|do|does|did|is|are|am|was|were|have|has|had|tell me|show me|list|recall|"
    r"find|look up|search|give me|remind me (?:of|about|what|where|when|who|how|which))\b",
    regex.I,
)
_QUERY = regex.compile(
    r"^(?:(?:what|which things|how much)\s+(?:do|did|can) you (?:know|remember|recall|have|tell me)(?: about| on| of)?|"
    r"(?:what(?:'s| is| are)?|tell me|show me|list|recall|find|look up|search(?: for)?|give me|remind me of)(?: everything| all| anything)?(?: (?:that )?you (?:know|remember|have))?(?: about| on| of| for)?|"
    r"do you (?:still )?(?:know|remember)(?: anything)?(?: about| of)?|have you (?:noted|stored|saved)(?: anything)?(?: about)?)\s+(?P<about>.+)$",
    regex.I,
)
_NOT_FORGET = regex.compile(r"^(?:do(?:n't| not)|never)\s+forget(?:\s+(?:that|this))?[:,]?\s+(?P<rest>.+)$", regex.I)
_STORE = regex.compile(
    r"^(?:remember|note|memori[sz]e|save|store|keep in mind|bear in mind|make a note|take a note|write down|record|learn)\b"
    r"(?:\s+(?:down|for me|this|the following|(?:of\s+)?the fact|in your memory|to (?:your )?memory))*[:,]?\s+(?:that\s+)?(?P<rest>.+)$",
    regex.I,
)
_FORGET = regex.compile(
    r"^(?:forget|delete|remove|erase|unlearn|discard|wipe|stop remembering|do(?:n't| not) remember|no longer remember)\s+(?P<rest>.+)$",
    regex.I,
)
_THAT = regex.compile(
    r"^(?:(?:the|any|that|this)\s+)?(?:(?:facts?|memor(?:y|ies)|notes?|entr(?:y|ies)|thing|what (?:you know|I (?:said|told you)))\s+)?(?:that|about|on|of|saying(?: that)?)\s+",
    regex.I,
)
_TRAIL = regex.compile(
    r"[\s,]*(?:(?<!\w)(?:from (?:your |the )?(?:memory|memories|notes|records?)|please|pls|any ?more|any longer|for me|now|thanks|thank you))?[\s.!?]*$",
    regex.I,
)
_EVERYTHING = regex.compile(
    r"^(?:(?:absolutely )?everything|whatever|it all|all|all (?:of )?(?:it|this|that|my|the|your)?\s*(?:memor(?:y|ies)|data|facts?|notes|records?)?|(?:every|all) (?:memory|memories|facts?)|what"
    r"|(?:my|your|the|our)\s+(?:whole |entire |complete )?(?:memor(?:y|ies)|data|profile|history|facts|records?|notes)|me|us|myself|(?:the |this )?user|everyone|everybody)"
    r"(?:\s+(?:about|of|on)\s+(?:me|us|myself|every(?:one|body)|(?:the |this )?users?)|\s+(?:that )?(?:you (?:know|remember|have)|I (?:have |'ve )?(?:said|told you))(?: (?:about|of|on) (?:me|us|every(?:one|body)|(?:the |this )?user))?)?$",
    regex.I,
)
_INSTEAD = regex.compile(
    r"^(?P<old>.+?)\s*[,;.:–—-]+\s*(?:but\s+|and\s+|now\s+|actually,?\s+|instead,?\s+|rather,?\s+|(?:and\s+)?remember(?: that)?\s+|because\s+)*(?P<new>(?:I|I'm|I've|I'll|my|we|we're|our)\b.+)$",
    regex.I,
)
_CHANGE = regex.compile(
    r"^(?:change|update|correct|set|replace|fix|edit|amend)\s+(?P<what>.+?)\s+(?:to|with|into|by|as)(?: be| being)?\s+(?P<new>.+)$",
    regex.I,
)
_CHANGED = regex.compile(
    r"^(?P<what>my [\w' -]{2,40}?)\s+(?:has |have )?(?:changed|is now changed) to\s+(?P<new>.+)$", regex.I
)
_STATES = regex.compile(r"^(?:I|I'm|I've|I'll|I'd|my|we|we're|we've|our|from now on|no longer|actually I)\b", regex.I)


def read_english(text: str) -> Asked | None:
    """Return what a sentence asks; None, when no rule understands it."""
    said = _LEAD.sub("", text.strip().replace("’", "'"))
    for rule in (_kept, _forgotten, _questioned, _changed, _stored, _stated):
        found = rule(said)
        if found is not None:
            return found
    return None


def _kept(said: str) -> Asked | None:
    found = _NOT_FORGET.match(said)
    return _store(found["rest"]) if found is not None else None


def _forgotten(said: str) -> Asked | None:
    found = _FORGET.match(said)
    if found is None:
        return None
    rest, method = _TRAIL.sub("", found["rest"]), "en.forget"
    bare = _THAT.sub("", rest)
    if _EVERYTHING.match(rest) or _EVERYTHING.match(bare):
        return Asked(verb=Verb.FORGET, everything=True, explicit=True, method=method)
    both = _INSTEAD.match(bare)
    if both is not None:
        return Asked(
            verb=Verb.UPDATE, about=both["old"], statement=both["new"], explicit=True, retracts=True, method=method
        )
    return Asked(verb=Verb.FORGET, about=bare, explicit=True, method=method) if bare else None


def _questioned(said: str) -> Asked | None:
    if not (_QUESTION.match(said) or said.endswith("?")):
        return None
    found = _QUERY.match(said)
    about = found["about"] if found is not None else said
    return Asked(verb=Verb.RETRIEVE, about=about.strip(" ?.!"), explicit=True, method="en.question")


def _changed(said: str) -> Asked | None:
    found = _CHANGED.match(said) or _CHANGE.match(said)
    if found is None:
        return None
    what, new = found["what"].strip(), _TRAIL.sub("", found["new"])
    mine = regex.match(r"(?:my|our)\b", what, regex.I)
    statement = f"My {what[mine.end() :].strip()} is {new}" if mine is not None else new
    return Asked(verb=Verb.UPDATE, about=what, statement=statement, explicit=True, method="en.change")


def _stored(said: str) -> Asked | None:
    found = _STORE.match(said)
    return _store(found["rest"]) if found is not None else None


def _store(rest: str) -> Asked:
    return Asked(verb=Verb.STORE, statement=rest.strip(), explicit=True, method="en.remember")


def _stated(said: str) -> Asked | None:
    return Asked(verb=Verb.STORE, statement=said, method="en.statement") if _STATES.match(said) else None
