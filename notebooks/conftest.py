"""nbval compares nothing in a cell that was stored without being run: refuse such notebooks."""

import pytest

from tests.notebook_rules import EVIDENCE
from tools.notebooks import load


class Refused(pytest.File):
    def collect(self):
        complaints = [each for rule in EVIDENCE for each in rule(load(self.path))]
        raise self.CollectError("\n".join([f"{self.path.name} proves nothing:", *complaints]))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    collectors = yield
    if file_path.suffix == ".ipynb" and any(list(rule(load(file_path))) for rule in EVIDENCE):
        return [Refused.from_parent(parent, path=file_path)]
    return collectors
