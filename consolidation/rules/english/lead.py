"""What stands before a statement and adds nothing to it: well, by the way, I told you that."""

import regex

from consolidation.rules.dates import ENGLISH

_LEAD = regex.compile(
    r"^(?:(?:well|so|yes|yeah|yep|yup|no(?! (?:longer|more|one)\b)|nope|nah|oh|ah|hm+|ok|okay|hi|hello|hey|hi there|hello there|by the way|btw|fyi|actually|and|but|also|plus|"
    r"just so you know|for context|for the record|some context|context|(?:a )?quick intro(?:duction)?|intro|scratch that|never mind|I'd say(?: that)?|quick (?:update|note|context)|small update|one more thing|another thing|"
    r"note(?: that)?|remember(?: that)?|(?:please|pls|do) (?:remember|note|keep in mind)(?: that)?|keep in mind(?: that)?|don't forget(?: that)?|"
    r"as (?:I|you) (?:said|know|mentioned)(?: before| earlier)?|I(?:'ve| have)? (?:already |just )?(?:told|mentioned to) you(?: before| earlier)?(?: that)?|"
    r"I(?:'ve)?(?: already| just)? said(?: that)?|I meant(?: that| to say(?: that)?)?|I (?:should|have to|must) (?:mention|say|add|tell you)(?: that)?|you should know(?: that)?|let me (?:add|tell you|clarify)(?: that)?|"
    r"because|since|as|honestly|to be honest|tbh|in fact|update|correction|sorry|my bad|thanks|thank you|great|sure|right|anyway|good news|bad news|news|guess what|"
    r"these days|nowadays|now|currently|at the moment|right now|lately|at home|at work|in general|personally|for me|besides|moreover|additionally|furthermore|"
    r"for what it's worth|long story short|turns out|it turns out(?: that)?|the thing is|truth is|the truth is|like I said|again|still|then|today|"
    r"wait|actually no|oh wait|no wait|hmm|first|second|finally|unfortunately|luckily|fortunately|sadly|happily|of course|in case it helps|about me|"
    r"a bit about me|little about me|it's true that|I confirm(?: that)?|I can confirm(?: that)?|good to know|"
    r"(?:on|at|in|for|when it comes to|as for|with) [\w' ]{2,30}?(?=,? I (?:always|usually|normally|generally|prefer|like|love|only|never|mostly)\b)|"
    rf"{ENGLISH})(?:\s*[,:!.…-]\s*|\s+|$))+",
    regex.I,
)
_NOW = regex.compile(
    r"\b(?:now|these days|nowadays|currently|from now on|lately|today|update|correction|actually)\b", regex.I
)


def without_lead(clause: str) -> tuple[str, str]:
    """Return a clause without its lead, and the lead."""
    found = _LEAD.match(clause)
    if found is None:
        return clause, ""
    return clause[found.end() :], clause[: found.end()]


def says_now(lead: str) -> bool:
    """Say whether a lead means that it was otherwise before."""
    return bool(_NOW.search(lead))
