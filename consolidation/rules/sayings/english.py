"""What speaks for and against a sentence telling something that lasts, in English."""

import regex

from consolidation.rules.clauses import asks
from consolidation.rules.masks import quotes
from consolidation.rules.sayings.cue import Cue, Language, words
from consolidation.rules.sayings.matter import matter

SHORT, LONG = 4, 12
"""Words of a short sentence at most, and of a long one at least."""
_OPENS_QUESTION = regex.compile(r"^(?:\W*\w+,? )?(?:any ideas|what|how|why|can|could|would|is it|do you)\b", regex.I)


def _asks(sentence: str) -> bool:
    return asks(sentence.strip(), chinese=False) or _OPENS_QUESTION.search(sentence) is not None


def _is_short(sentence: str) -> bool:
    return len(sentence.split()) <= SHORT


def _is_long(sentence: str) -> bool:
    return len(sentence.split()) >= LONG


MATTER: dict[str, float] = {"of_health": 0.4, "of_food": 1.3, "a_value": 1.6}
CUES = (
    Cue(name="asks", has=_asks, weight=-1.0),
    words(
        "speaker",
        1.5,
        r"(?:^|[,;—-] ?|\b(?:and|but|so|because|since|that|which|ok|oh|yeah|hi|hello|hey|also|by the way|btw|actually|now|then|today|well)[,!]? )(?:I|I'm|I've|im|ive|i'm|i've|we|we're|we've)\b",
    ),
    words(
        "note",
        1.0,
        r"\b(?:fyi|btw|by the way|for the record|so you know|so i don't forget|in case|note that|remember that|since you asked|for what it's worth|just to say|for context|for the \w+:|update)\b|^\W*(?:oh|also|and|ps|reminder)\b",
    ),
    words(
        "wants",
        -0.4,
        r"\b(?:probably|i think|i guess|hoping|hope|want to|would like|'d like|'d love|plan to|planning)\b",
    ),
    words(
        "needs",
        -1.7,
        r"\b(?:need|needs|looking for|look for|searching|trying to find|trying to get|want you|have to|should|must)\b",
    ),
    words("list", 0.4, r": \S|(?:, [^,]{2,40}){3}"),
    words("own", 0.7, r"\b(?:my|our|mine|ours)\b"),
    words("speaker_object", 0.7, r"\b(?:me|us|myself)\b"),
    words(
        "kin",
        0.5,
        r"\b(?:mum|mom|dad|mother|father|wife|husband|missus|partner|kids?|son|daughter|sister|brother|baby|girlfriend|boyfriend|fianc[eé]e?|grand(?:ma|pa|mother|father|son|daughter|kids)|nan|gran|aunt|uncle|cousin|niece|nephew|lad|spouse|ex|toddler|children|child|stepson|stepdaughter|in-law|in-laws|twins?|parents|flatmate|housemate|roommate)\b",
    ),
    words(
        "pet",
        1.4,
        r"\b(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|goldfish|tortoise|budgie|guinea pig|ferret|pony|pets?|spaniel|terrier|labrador|retriever|whippet|greyhound|beagle|poodle|collie|pug|husky|tabby|vet)\b",
    ),
    words("number", 0.3, r"\d"),
    words("proper_name", 1.7, r"(?<=[\p{L}\p{N},;:&=(] )(?!I\b|I'|OK\b|TV\b|AI\b|SO\b)[A-Z][\p{L}\d&.+-]+", flags=0),
    words("code", 0.8, r"\b[A-Za-z]*\d+[A-Za-z-]+\w*\b|\b\w+[-.]\d+|[\w.]+@[\w.]+|\+\d"),
    words("money", 0.4, r"[£$€¥]\s?\d|\d+\s?(?:k|euros?|dollars?|pounds?|kr|a month|a day|per)\b"),
    words(
        "date",
        0.1,
        r"\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\w* \d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bMon\b|\bTue\b",
    ),
    words(
        "every",
        0.3,
        r"\b(?:every|each|daily|nightly|weekly|always|usually|normally|mostly|twice a|once a|a week|a month|a day|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    ),
    words("being", 0.6, r"\b(?:am|I'm|im|I've|ive|have|has|we've|we're|is|are|'s|got)\b"),
    words(
        "lasting",
        0.7,
        r"\b(?:live|lives|living|work|works|working|study|studies|teach|teaches|use|uses|using|run|runs|running|drive|drives|own|owns|play|plays|speak|speaks|pay|pays|like|likes|love|loves|prefer|prefers|hate|hates|can't stand|allergic|called|named|married|born|from|takes?|wear|wears|eat|eats|drink|drinks|vegan|vegetarian|veggie|intoleran\w+|diagnosed|originally|goes to|belongs|keeps?|rent|insur\w+|contract|account|based|deal with|goes out|due|booked|signed up|version)\b",
    ),
    words(
        "change",
        1.1,
        r"\b(?:now|anymore|any more|no longer|switched|switch|moved|replaced|instead|from now on|these days|gave up|given up|stopped|quit|started|taken up|new|upgraded|changed|went (?:with|for)|gone over|sold|bought|ditched|dropped|finished|turned|passed|died|split up|left(?! (?:a|an|the|him|her|them|you|it|me|us|\w+ an?)\b)|got rid|used to|back to|as of|at last|finally|swapped|rescheduled|pushed|renamed|became|promoted)\b",
    ),
    words(
        "wish",
        0.6,
        r"\b(?:I'd rather|please (?:always|never|keep|use|don't)|don't ever|from here on|always|never|keep (?:it|your|them)|answers? in|call me|remind me)\b",
    ),
    words(
        "hedge",
        -2.1,
        r"\b(?:maybe|perhaps|might|(?-i:may)|possibly|could be|not sure|dunno|who knows|thinking of|thinking about|considering|tempted|wonder|50/50|someday|one day|haven't decided|undecided|toying)\b",
    ),
    words("supposes", -0.6, r"\b(?:if|suppose|imagine|wish|would|i'd|'d have|could have|say i|pretend|what if)\b"),
    words(
        "small_talk",
        -0.9,
        r"\b(?:lol|haha|ugh|thanks|thank you|cheers|hello|hi|hey|sorry|wow|ha|omg|yay|bye|good morning|good night|weather|raining|rain|sunny|love it|brilliant|hilarious|legend|bless|good luck|have fun|see you|talk soon|no worries|never mind|anyway|whatever|fair enough|sounds good|got it)\b",
    ),
    words("you", -0.3, r"\b(?:you|your|you're)\b"),
    words(
        "orders",
        -1.5,
        r"^\W*(?:please |pls |ok |so |and |then |just |also |now )*(?:can|could|tell|give|show|help|explain|write|translate|find|make|send|let|remind|check|suggest|recommend|summari[sz]e|list|draft|put|remember|note|store|ignore|add|set|save|forget|compare|convert|rewrite|go|book|fix|look|excuse|imagine|say)\b",
    ),
    words(
        "others_first",
        -1.8,
        r"^\W*(?:apparently|heard|some|somebody|someone|a (?:guy|girl|man|woman|bloke|friend|colleague|mate|neighbou?r|lad|kid)|the (?:guy|girl|man|woman|bloke|people|lady|one|neighbou?r)|there's a (?:man|woman|guy|girl)|people|everyone|they|he|his|she|her|it|that|this|those|these|the)\b",
    ),
    words(
        "today",
        0.0,
        r"\b(?:today|tonight|this morning|this afternoon|this evening|yesterday|right now|at the moment|just now|last night|tomorrow|in a minute|later|an hour)\b",
    ),
    words(
        "feeling",
        -0.1,
        r"\b(?:tired|exhausted|hungry|bored|happy|sad|excited|annoyed|gutted|knackered|freezing|stressed|feel|feels|feeling|mood|smell|headache|sore|asleep|awake)\b",
    ),
    words(
        "unsure",
        -0.6,
        r"\b(?:don't know|no idea|can't remember|can't tell|don't think|not really|don't mind|don't care|doesn't matter)\b",
    ),
    words("doing", -0.2, r"\b(?:i'm|i am|we're|im) (?:\w+ ){0,2}\w+ing\b"),
    Cue(name="short", has=_is_short, weight=-0.3),
    Cue(name="long", has=_is_long, weight=0.1),
    Cue(name="quotes", has=quotes, weight=-1.3),
    words("exclaims", -0.2, r"!"),
    words(
        "commands",
        -1.6,
        r"\b(?:store|memory|memories|instruction|instructions|assistant|SYSTEM|permission|admin|rules|prompt|authori[sz]ed|cleared|approved|account is|payee)\b",
    ),
    *matter(MATTER),
)
ANCHORS = {"number", "proper_name", "code", "money", "date", "kin", "pet", "note", "list", "change", "event"}
LANGUAGE = Language(cues=CUES, anchors=ANCHORS, bias=-2.4, answers=1.7, follows=2.0)
