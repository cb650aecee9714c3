"""The link that hands the notebooks to each student of a hub, and opens chapter 1 there.

    python -m tools.hub_link https://HUB https://HOST/YOU/FORK --language en

The hub needs nbgitpuller. It pulls what is new and keeps what a student has written.
"""

import argparse
from urllib.parse import urlencode

from course_utils.language import LANGUAGES

__all__ = ["link", "main"]


def link(hub: str, repository: str, language: str = "en", branch: str = "main") -> str:
    """Return the link.

    Parameters
    ----------
    hub : str
        Address of the hub.
    repository : str
        Address of the repository that students are to have.
    language : {"en", "zh"}
        Of the chapter that is opened.
    branch : str
        Of the repository.

    Returns
    -------
    str
        An address under the hub's.

    Examples
    --------
    >>> link("https://hub.example", "https://git.example/you/fork")[:65]
    'https://hub.example/hub/user-redirect/git-pull?repo=https%3A%2F%2'
    """
    folder = repository.rstrip("/").rpartition("/")[2].removesuffix(".git")
    path = f"lab/tree/{folder}/notebooks/{language}/01_encode.ipynb"
    query = urlencode({"repo": repository, "branch": branch, "urlpath": path})
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{query}"


def main() -> None:
    """Print the link for what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.hub_link")
    parser.add_argument("hub")
    parser.add_argument("repository")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--branch", default="main")
    print(link(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
