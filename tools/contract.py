"""What a chapter asks of a reader, counted: cells, words, lines of code, minutes.

    python -m tools.contract [CHAPTER ...]      (default: every chapter)

Formulas and code spans are no words. Exercises, the cells whose ids start with `exercise`, have
minutes of their own and count in nothing else. A prediction is a cell with the tag `reveal`, which
answers it.
Reading and running take words / 150 + lines / 12 minutes, and one minute more a prediction.
The contract says both numbers, rounded to five minutes; the Chinese chapter says those of the
English one.
"""

import math
import re
import sys
from dataclasses import dataclass

from tools.notebooks import (
    NOTEBOOKS,
    Notebook,
    course_notebooks,
    load,
    without_code_and_formulas,
)

MOST_CELLS, MOST_WORDS, MOST_LINES, MOST_EXERCISES = 80, 2_300, 180, 25
LABEL = re.compile(r"[(\uff08][^()\uff08\uff09]*?(\d+)\s*(?:minutes?|\u5206\u949f)[)\uff09]")
TIME = re.compile(r"^\*\*(?:It takes|\u6240\u9700\u65f6\u95f4)\*\*.*$", re.MULTILINE)
MINUTES = re.compile(r"(\d+)\s*(?:minutes?|\u5206\u949f)")


@dataclass(frozen=True)
class Cost:
    """What is counted in one chapter."""

    cells: int
    words: int
    lines: int
    predictions: int
    exercises: int

    @property
    def minutes(self) -> list[int]:
        """To read and run, and for the exercises, as the contract says them."""
        reading = self.words / 150 + self.lines / 12 + self.predictions
        return [5 * math.floor(each / 5 + 0.5) for each in (reading, self.exercises)]


def is_exercise(cell) -> bool:
    return cell.id.startswith("exercise")


def cost(chapter: Notebook) -> Cost:
    """Count an English chapter."""
    cells = [cell for cell in chapter.nb.cells if not is_exercise(cell)]
    prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
    code = [cell for cell in cells if cell.cell_type == "code"]
    words = [word for source in prose for word in without_code_and_formulas(source).split()]
    lines = [line for cell in code for line in cell.source.splitlines()]
    return Cost(
        cells=len(cells),
        words=sum(any(character.isalnum() for character in word) for word in words),
        lines=sum(bool(line.strip()) for line in lines),
        predictions=sum("reveal" in cell.metadata.get("tags", []) for cell in code),
        exercises=sum(exercise_minutes(chapter).values()),
    )


def exercise_minutes(chapter: Notebook) -> dict[str, int]:
    """The minutes that each exercise names in its first line."""
    cells = [cell for cell in chapter.prose if re.fullmatch(r"exercise-\d+-\d+", cell.id)]
    found = {cell.id: LABEL.search(cell.source) for cell in cells}
    return {name: int(label[1]) if label else 0 for name, label in found.items()}


def stated(chapter: Notebook) -> list[int]:
    """The minutes that the contract states, in order."""
    contract = "\n".join(cell.source for cell in chapter.prose if cell.id == "contract")
    return [int(number) for line in TIME.findall(contract) for number in MINUTES.findall(line)]


def chapters(language: str) -> list[Notebook]:
    """The chapters proper, without the handout's notebook, the further reading, the solutions."""
    return [load(path) for path in course_notebooks(NOTEBOOKS / language) if path.stem[0].isdigit()]


def main(names: list[str]) -> None:
    chinese = {chapter.name: chapter for chapter in chapters("zh")}
    print(f"{'':<12} cells words lines predictions exercises   minutes: wanted, en, zh")
    for chapter in chapters("en"):
        if not names or chapter.name in names:
            it, minutes = cost(chapter), [stated(chapter), stated(chinese[chapter.name])]
            print(
                f"{chapter.name:<12} {it.cells:>5} {it.words:>5} {it.lines:>5} "
                f"{it.predictions:>11} {it.exercises:>9}   {it.minutes}, {minutes[0]}, {minutes[1]}"
            )
    print(f"{'at most':<12} {MOST_CELLS:>5} {MOST_WORDS:>5} {MOST_LINES:>5} {MOST_EXERCISES:>21}")


if __name__ == "__main__":
    main(sys.argv[1:])
