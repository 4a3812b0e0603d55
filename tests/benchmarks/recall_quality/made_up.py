"""A conversation of our own in LoCoMo's layout."""

import json
from pathlib import Path
from typing import Any

SAMPLE: dict[str, Any] = {
    "sample_id": "acme",
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Paul",
        "session_2_date_time": "10:05 am on 3 March, 2024",
        "session_2": [
            {"speaker": "Paul", "dia_id": "D2:1", "text": "The marmalade won a second prize at the fair!"},
            {
                "speaker": "Ines",
                "dia_id": "D2:2",
                "text": "Bravo! I took up rowing on the canal.",
                "blip_caption": "",
            },
        ],
        "session_1_date_time": "1:56 pm on 28 February, 2024",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "My brother Otto opened a cinema in Ghent."},
            {"speaker": "Paul", "dia_id": "D1:2", "text": "Look at that.", "blip_caption": "a jar of marmalade"},
            {"speaker": "Ines", "dia_id": "D1:3", "text": " "},
        ],
        "session_3_date_time": "12:00 am on 1 April, 2024",
    },
    "qa": [
        {"question": "Where is the cinema of Otto?", "category": 4, "evidence": ["D1:1"]},
        {"question": "What happened to the marmalade?", "category": 1, "evidence": ["D1:2; D2:1"]},
        {"question": "Which sport does Paul do?", "category": 5, "evidence": []},
        {"question": "What was not said?", "category": 3, "evidence": ["D1:3"]},
        {"question": "What did Ines take up in March?", "category": 2, "evidence": ["D2:2"]},
    ],
}


def write_sample(folder: Path) -> Path:
    """Write the conversation as a file of one."""
    path = folder / "made-up.json"
    path.write_text(json.dumps([SAMPLE]), encoding="utf-8")
    return path
