"""What people own, keep or hold for long, as against what they have for a moment: a car, not an idea."""

import regex

_THINGS = """
    car van truck motorbike motorcycle bike bicycle scooter boat yacht caravan camper trailer tesla ebike e-bike house home flat apartment condo
    cottage cabin studio garden greenhouse allotment balcony garage pool piano guitar violin cello drum drums ukulele saxophone trumpet keyboard phone iphone
    android smartphone laptop macbook computer pc desktop tablet ipad kindle watch smartwatch camera lens drone tv television console playstation
    xbox switch printer scanner router hub modem server nas monitor headphones earbuds speaker speakers thermostat bulb bulbs lamp lights lock
    doorbell vacuum robot dishwasher oven fridge freezer dryer machine grinder espresso kettle mixer sewing loom telescope microscope
    treadmill kayak surfboard snowboard skateboard skis tent account subscription membership licence license degree diploma phd masters bachelor's certificate
    passport visa mortgage loan pension business company shop store bakery restaurant farm startup blog podcast channel website tattoo tattoos piercing scar glasses
    dog dogs cat cats puppy puppies kitten kittens rabbit rabbits hamster hamsters parrot budgie horse horses pony tortoise turtle goldfish fish pet pets ferret snake lizard chickens
    hens goats sheep bees hive pup kitty beagle labrador lab retriever poodle spaniel terrier collie shepherd dachshund husky corgi bulldog siamese persian tabby
    hearing-aid pacemaker implant wheelchair prosthesis collection vinyl records library roommate roommates flatmate flatmates housemate tenant landlord lodger
    boyfriend girlfriend fiancé fiancée fiance fiancee nanny cleaner accountant dentist doctor gp therapist coach tutor mentor lawyer insurance policy plan contract
    ring necklace synth synthesizer amp amplifier turntable harp flute clarinet banjo mandolin bass projector charger solar panels heat-pump ev suv sedan hatchback
"""
_NOUN = regex.compile(
    rf"\b(?:{'|'.join(sorted(map(regex.escape, _THINGS.split()), key=len, reverse=True))})\b", regex.I
)
_NAMED = regex.compile(
    r"(?:called|named)\s+\S|\b[A-Z][\w.+-]*\s+[A-Z\d][\w.+-]*|\b[A-Z]{2,}[\d-]*\b|\b[A-Za-z]*\d[\w.-]*\b|\b[A-Z][a-z]+[A-Z]\w*"
)
_OF_THE_MOMENT = regex.compile(
    r"\b(?:problems?|issues?|trouble|questions?|ideas?|plans? (?:for|to)|meetings?|chat|talk|chance|time|picture|photo|image|video|experience|turnout|power|skills?|advice|leads?|projects?|surge|feeling|community meeting|event|offer|deal|discount|call|appointment|interview|check-up|checkup|date night)\b",
    regex.I,
)


def is_owned(value: str) -> bool:
    """Say whether a value is something that one has for long, or a thing with a name or model of its own."""
    if _OF_THE_MOMENT.search(value):
        return False
    return bool(_NOUN.search(value) or _NAMED.search(value))
