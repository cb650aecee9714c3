"""Write the page with a question for each cause: ``python -m tools.asks``.

The questions stand beside the causes, in `course_utils/checks/*.toml`; `notebooks/*/ask.md` shows
them by exercise, for a teacher who reads what a check said over a learner's shoulder.
"""

import re
import sys
from collections.abc import Iterator

from course_utils.collect.submissions import ANSWERS
from course_utils.language import LANGUAGES, STRINGS
from tools.notebooks import NOTEBOOKS

HEAD = {
    "en": (
        "# What to ask",
        "For each thing that a check says, one question that helps and does not give the answer "
        "away. Ask it, and wait.\nWhat a check fills in stands here as `…`. "
        "[The guide](guide.md#see-what-the-class-thinks) tells how to see it for "
        "your own class.",
        "Any exercise",
        "| cause | the check says | ask |",
    ),
    "zh": (
        "# 可以问什么",
        "检查说出的每一种原因，都配有一个问题，能帮学生往前走一步，又不说破答案。问完，等一等。\n"
        "检查会填入的内容，这里写作 `…`。"
        "怎样得到自己班上的这一页，见[指南](guide.md#看看全班怎么想)。",
        "任何练习",
        "| 原因 | 检查说 | 可以问 |",
    ),
}


def page(code: str) -> str:
    """The page in one language."""
    title, opening, rest, head = HEAD[code]
    parts = [f"{title}\n\n{opening}"]
    names = [call.partition("(")[0].removeprefix("check_") for call in ANSWERS.values()]
    titles = [
        f"{n} {STRINGS[f'title.{name}'][code]}" for n, name in zip(ANSWERS, names, strict=True)
    ]
    for name, heading in zip([*names, "any"], [*titles, rest], strict=True):
        table = "\n".join([head, "|---|---|---|", *_rows(name, code)])
        parts.append(f"## {heading}\n\n{table}")
    return "\n\n".join(parts) + "\n"


def _rows(name: str, code: str) -> Iterator[str]:
    for key, words in STRINGS.items():
        if key.startswith(f"ask.{name}."):
            says = STRINGS[key.replace("ask", "check", 1)][code]
            # in code already, or on its own
            says = re.sub(r"`\{[^}]+\}`|\{[^}]+\}", "…", says)
            cells = [f"`{key.rpartition('.')[2]}`", says, words[code]]
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def main() -> int:
    for code in LANGUAGES:
        path = NOTEBOOKS / code / "ask.md"
        path.write_text(page(code), encoding="utf-8", newline="\n")
        print(path.relative_to(NOTEBOOKS.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
