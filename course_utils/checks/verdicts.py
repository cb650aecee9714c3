"""Which of the two assertions notices each of six wrong encodings."""

from collections.abc import Mapping

from course_utils.checks.feedback import Wrong, exercise, in_short, read_choice
from course_utils.language import text

_RIGHT = {
    "doubled": "one step", "from_one": "row 0", "backwards": "both",
    "degrees": "one step", "negated": "row 0", "swapped": "both",
}  # fmt: skip


@exercise(causes=[f"wrong_{name}" for name in _RIGHT])
def check_verdicts(answer: Mapping[str, str]) -> None:
    """Check which assertion a learner thinks will notice each wrong encoding.

    For each name of a table ``"row 0"``, ``"one step"`` or ``"both"``.

    >>> check_verdicts({**_RIGHT, "from_one": "one step"}).cause
    'wrong_from_one'
    """
    if not isinstance(answer, Mapping):
        raise Wrong("not_a_table", got=in_short(answer))
    if lost := [name for name in _RIGHT if name not in answer]:
        raise Wrong("lost", name=lost[0])
    if all(answer[name] is ... for name in _RIGHT):
        raise Wrong("not_attempted")
    wrong = []
    for name, right in _RIGHT.items():
        if answer[name] is ...:
            raise Wrong("open", name=name)
        try:
            said = read_choice(answer[name], ("row 0", "one step", "both"))
        except Wrong:
            raise Wrong("not_a_verdict", name=name, got=in_short(answer[name])) from None
        if said != right:
            wrong.append(name)
    if wrong:
        told = text("verdicts.count", right=len(_RIGHT) - len(wrong), count=len(_RIGHT))
        raise Wrong(f"wrong_{wrong[0]}", told=told)
