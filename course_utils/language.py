"""The language of everything that a reader sees from the module, and the tables that hold it.

The strings stand in TOML files, both languages of one string side by side: `words.toml` here, and
one file beside each exercise in `checks`. They are read when the first string is needed.
"""

import functools
import reprlib
from collections import UserDict
from collections.abc import Iterator
from pathlib import Path

LANGUAGES = ("en", "zh")

_current = "en"


def use_language(code: str) -> None:
    """Choose the language of labels, feedback and errors.

    Parameters
    ----------
    code : {"en", "zh"}
        English, or Simplified Chinese.

    Raises
    ------
    ValueError
        If there is no table for that code.

    Examples
    --------
    >>> use_language("en")
    """
    global _current
    if not isinstance(code, str) or code not in LANGUAGES:
        got = " ".join(reprlib.repr(code).split())
        raise ValueError(text("error.language", got=got))
    _current = code


def current_language() -> str:
    """Return the code of the language in use, ``"en"`` or ``"zh"``."""
    return _current


def text(key: str, **values: object) -> str:
    """Return one string of `STRINGS` in the current language, with its placeholders filled.

    A key or a placeholder that is missing ends in a `KeyError`.

    Examples
    --------
    >>> text("plot.position")
    'position (index)'
    """
    return STRINGS[key][_current].format(**values)


class _Strings(UserDict):
    """All tables as one mapping from keys such as ``"plot.position"`` to both languages."""

    def __init__(self) -> None:
        """Leave the files unread."""

    @functools.cached_property
    def data(self) -> dict[str, dict[str, str]]:
        import tomllib  # not at the start of every kernel

        strings: dict[str, dict[str, str]] = {}
        for path in sorted(Path(__file__).parent.rglob("*.toml")):
            for key, words in _entries(tomllib.loads(path.read_text(encoding="utf-8"))):
                if key in strings:
                    raise ValueError(f"{path.name} holds {key} a second time")
                strings[key] = words
        return strings


def _entries(table: dict, prefix: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    words = {code: value for code, value in table.items() if isinstance(value, str)}
    if words:
        # code is the same in every language
        yield prefix, dict.fromkeys(LANGUAGES, words["both"]) if "both" in words else words
    for name, inner in table.items():
        if name == "ask" and prefix.startswith("check."):  # what helps whom a cause was told
            yield prefix.replace("check", "ask", 1), inner
        elif isinstance(inner, dict):
            yield from _entries(inner, f"{prefix}.{name}" if prefix else name)


STRINGS = _Strings()
