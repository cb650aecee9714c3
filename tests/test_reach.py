"""Where the course runs without being installed by who opens it: what those places are told."""

import os
import re
import tomllib
from urllib.parse import parse_qs, urlsplit

import pytest

from course_utils.language import LANGUAGES
from tests.test_packaging import CONDA_NAMES, bounds
from tools import hub_link
from tools.notebooks import ROOT

BINDER = ROOT / ".binder"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def binder(environment):
    """Name to lower bound of all that Binder installs, and the one Python that it reads."""
    listed = re.findall(r"^ +- (\S+[^:\n])$", environment, re.MULTILINE)
    (python,) = re.findall(r"^  - python=(3\.\d+)$", environment, re.MULTILINE)
    return bounds(each for each in listed if ">=" in each), python, len(listed)


def test_binder_installs_what_running_the_course_takes():
    found, python, count = binder((BINDER / "environment.yml").read_text(encoding="utf-8"))
    requirements = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["present"]]
    wanted = {CONDA_NAMES.get(name, name): low for name, low in bounds(requirements).items()}
    assert found == wanted
    # channel, Python, pip: nothing else stands there without a bound
    assert count == len(wanted) + 3
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert int(python.split(".")[1]) >= int(oldest.split(".")[1])


def test_a_range_of_pythons_is_seen():
    environment = (BINDER / "environment.yml").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="unpack"):
        binder(re.sub(r"python=\S+", "python>=3.11", environment))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_binder_may_run_its_scripts():
    assert all(os.access(BINDER / name, os.X_OK) for name in ("postBuild", "start"))
    script = (BINDER / "postBuild").read_text(encoding="utf-8")
    assert "pip install --no-deps --editable ." in script


def test_hubs_and_binder_set_the_same():
    yaml = pytest.importorskip("yaml")  # comes with JupyterLab
    values = yaml.safe_load((ROOT / "hub" / "values.yaml").read_text(encoding="utf-8"))
    course = (ROOT / "hub" / "course.py").read_text(encoding="utf-8")
    pairs = re.findall(r'^ +"(\w+)": "(\w+)",$', course, re.MULTILINE)
    assert dict(pairs) == values["singleuser"]["extraEnv"]
    assert "OPENBLAS_NUM_THREADS" in dict(pairs)
    start = (BINDER / "start").read_text(encoding="utf-8")
    assert dict(re.findall(r"(\w+)=(\w+)", start)) == dict(pairs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_link_for_a_class_opens_a_chapter(language):
    parts = urlsplit(hub_link.link("https://hub.example/", "https://git.example/a/b.git", language))
    asked = parse_qs(parts.query)
    assert (parts.netloc, parts.path) == ("hub.example", "/hub/user-redirect/git-pull")
    folder, path = asked["urlpath"][0].removeprefix("lab/tree/").split("/", 1)
    assert folder == "b"
    assert (ROOT / path).is_file()
