"""What every feedback must look like."""

from course_utils import language


def assert_told(feedback, cause):
    """The cause is named, in whole words of the current language, and never as an exception."""
    assert feedback.cause == cause, feedback
    state = {"": "correct", "not_attempted": "not attempted"}.get(cause, "incorrect")
    assert feedback.state == state
    assert len(feedback.hints) == 3
    assert all(feedback.hints)
    plain, markdown = repr(feedback), feedback._repr_markdown_()
    assert feedback.message in plain
    assert "\x1b" not in plain
    assert "\n" not in plain
    assert markdown.startswith("**")
    assert markdown.count("<details><summary>") == (0 if state == "correct" else 3)
    if language.current_language() == "zh":
        for part in (feedback.message, *feedback.hints[:2]):
            assert any("\u4e00" <= c <= "\u9fff" for c in part), part


def causes_with_words(exercise):
    """All causes that the language table has words of their own for."""
    start = f"check.{exercise}."
    named = {key.removeprefix(start) for key in language.STRINGS if key.startswith(start)}
    return named - {"correct"}


def causes_of(*tables):
    """The causes in tables of wrong answers, which may have labels."""
    rows = (table.values() if isinstance(table, dict) else table for table in tables)
    return {cause for table in rows for cause, _ in table}
