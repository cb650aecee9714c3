"""The command: ``python -m course_utils.collect FOLDER``."""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from course_utils.collect.judge import missing_walls
from course_utils.collect.report import collect, page, summary, table
from course_utils.language import LANGUAGES, text, use_language

PAUSE = 2.0  # seconds between two looks at a folder that is watched


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge a folder; print the class, and write its table and its page."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names that a terminal cannot show
            stream.reconfigure(errors="replace")
    parser = argparse.ArgumentParser(prog="python -m course_utils.collect")
    parser.add_argument("folder", type=Path, help="a notebook for each student, or a folder")
    parser.add_argument("--out", type=Path, default=Path(), help="folder of class.csv, class.html")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--names", action="store_true", help="name students on the page, too")
    parser.add_argument("--watch", action="store_true", help="again whenever a notebook is saved")
    chosen = parser.parse_args(arguments)
    use_language(chosen.language)
    if not chosen.folder.is_dir():
        parser.error(text("collect.no_folder", folder=chosen.folder))
    if missing := missing_walls():
        print(text("collect.walls", missing="; ".join(missing)), file=sys.stderr)
    chosen.out.mkdir(parents=True, exist_ok=True)
    files = chosen.out / "class.csv", chosen.out / "class.html"
    known, before = {}, None
    if chosen.watch:
        print(text("collect.watching", folder=chosen.folder), file=sys.stderr)
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            if (seen := look(chosen.folder)) != before:
                before, found = seen, collect(chosen.folder, progress, known)
                if not found and not chosen.watch:
                    parser.error(text("collect.nothing", folder=chosen.folder))
                print(summary(found))
                # the mark tells spreadsheets that this is UTF-8
                write(files[0], "\ufeff" + table(found))
                write(files[1], page(found, named=chosen.names, refresh=5 * chosen.watch))
                print(text("collect.wrote", table=files[0], page=files[1]))
            if not chosen.watch:
                return 0
            time.sleep(PAUSE)
    return 0


def look(folder: Path) -> list[tuple]:
    """Return what tells that a notebook under a folder was saved."""
    found = []
    for path in folder.rglob("*.ipynb"):
        with contextlib.suppress(OSError):  # gone in the meantime
            status = path.lstat()
            found.append((str(path), status.st_mtime_ns, status.st_size))
    return sorted(found)


def write(path: Path, words: str) -> None:
    """Replace a file in one step, so that nobody reads half of it."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(words, encoding="utf-8", newline="\n")
    os.replace(new, path)


def progress(done: int, of: int) -> None:
    """Draw a bar on a terminal, and nothing into a file."""
    if sys.stderr.isatty():
        bar = "█" * (30 * done // of)
        end = "\n" if done == of else ""
        print(f"\r{bar:░<30} {done}/{of}", end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
