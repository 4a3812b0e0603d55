"""In Bonn, in finance, in an office: what "I work in" and "I study in" are followed by."""

import regex

from consolidation.rules.names import topic_of

WORK, STUDY, FIELD = "place of work", "place of study", "field"
"""Slots."""

_NAME = r"(?-i:\p{Lu}[\p{Ll}\p{M}\p{Lu}'’.-]*\p{Ll}[\p{L}'’.-]*|St\.?|\p{Han}{2,8})"
_PLACE = regex.compile(
    rf"^(?:(?:the\s+)?(?:cent(?:re|er) of|heart of|middle of|suburbs of|outskirts of|city of|town of|state of)\s+"
    rf"|(?:central|inner|outer|greater|downtown|uptown|upstate|rural|suburban|(?:north|south|east|west)(?:ern)?(?:[- ]?(?:east|west)(?:ern)?)?)\s+)*"
    rf"(?:the\s+(?=(?-i:Netherlands|Hague|Philippines|Bronx|Bahamas|Maldives|Gambia|Midlands|Highlands|Cotswolds|Alps|Algarve|Ruhr|Gulf|Emirates|United|Czech|Dominican|Isle|Bay|West|East|North|South|Midwest|City\b)))?"
    rf"(?:{_NAME}(?:,? D\.?C\.?)?(?:,?[ -]+(?:(?:and|of|am|an der|upon|on|de|del|da|do|la|le|les|sur|under|ob der)[ -]+)*{_NAME})*(?: (?:city|town)(?: cent(?:re|er))?)?"
    rf"|(?:the\s+)?(?-i:UK|U\.K\.|USA|US|U\.S\.A?\.?|UAE|EU|NYC|LA|DC|D\.C\.|SF|HK|KL|CDMX))$",
    regex.I,
)
_TRADE = regex.compile(
    r"\b(?:accounting|administration|advertising|aerospace|agriculture|animation|architecture|arts?|automotive|aviation|banking|biology|biotech|broadcasting|business|care|"
    r"catering|chemistry|child ?care|cloud|communications?|compliance|computing|construction|consult(?:ing|ancy)|cyber ?security|data|defen[cs]e|dentistry|design|dev ?ops|development|"
    r"diplomacy|e-?commerce|ecology|economics|education|electronics|energy|engineering|entertainment|events?|farming|fashion|film|finance|fintech|fisheries|fitness|food|forestry|"
    r"games?|gaming|gastronomy|government|hardware|health ?(?:care)?|history|horticulture|hospitality|housing|hr|human|industry|information|infrastructure|innovation|insurance|investment|"
    r"journalism|law|leadership|learning|legal|leisure|linguistics|logistics|maintenance|management|manufacturing|maritime|marketing|maths?|mathematics|media|medicine|mining|music|"
    r"networking|neuroscience|nursing|oil|operations|optics|payments?|payroll|pharma\w*|philosophy|photography|physics|planning|politics|procurement|production|programming|psychology|"
    r"public|publishing|quality|radiology|real estate|recruit(?:ing|ment)|relations|renewables|research|resources|retail|robotics|safety|sales|science|security|semiconductors|services|"
    r"shipping|social|software|solar|sports?|staffing|statistics|steel|strategy|supply|support|surgery|sustainability|tax(?:ation)?|tech(?:nology)?|telecoms?|television|textiles|"
    r"theat(?:re|er)|tourism|trade|trading|training|translation|transport(?:ation)?|travel|tv|utilities|warehousing|wind|work|writing|"
    r"sector|space|trades?|field|profession|department)\b",
    regex.I,
)
_TONGUE = regex.compile(
    r"^(?:\w+\s+and\s+)?(?:english|french|german|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|greek|turkish|russian|ukrainian|chinese|mandarin|"
    r"cantonese|japanese|korean|hindi|urdu|bengali|thai|vietnamese|arabic|hebrew|welsh|irish|latin)$",
    regex.I,
)
_TOOL = regex.compile(
    r"^(?:excel|word|outlook|photoshop|illustrator|indesign|lightroom|figma|sketch|blender|unity|unreal|autocad|sap|salesforce|jira|notion|slack|teams|github|gitlab|django|rails|"
    r"react|vue|angular|laravel|spring|docker|terraform|matlab|stata|spss|word ?press|shopify|html|css|sql|php|perl|cobol|fortran|lua|dart|julia|scratch|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas)\b",
    regex.I,
)
_SOMEWHERE = regex.compile(
    r"^(?:an?|my|our|his|her|their|this|that|these|those|some|several|many|different|various|two|three|four|five|\d+|small|large|big|"
    r"town|downtown|midtown|shifts?|teams?|pairs?|groups?|person|silence|peace|bed|here|there|public|private|secret|sprints?|blocks?|bursts?|"
    r"the (?:evenings?|mornings?|afternoons?|nights?|dark|office|kitchen|garden|city|town|village|countryside|same|next|other|lab\w*|library|basement|field|building|back|cloud|open))\b",
    regex.I,
)


def is_place(value: str) -> bool:
    """Say whether what follows "in" is a place by name: Bonn, northern Spain, the UK; not Finance, Python or German."""
    return bool(_PLACE.match(value)) and not _TRADE.search(value) and not _is_means(value)


def slot_of_work(value: str) -> str | None:
    """Return what slot "I work in …" fills: the place, the field, or none where it is neither by name."""
    if is_place(value):
        return WORK
    return None if _SOMEWHERE.match(value) or _is_means(value) else FIELD


def _is_means(value: str) -> bool:
    """Say whether it is what one works with, or when: Python, German, July."""
    return bool(_TONGUE.match(value) or _TOOL.match(value) or topic_of(value))
