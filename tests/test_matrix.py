"""What `tools/matrix.py` varies, and what it says of a notebook that fails."""

import sys

from tools import matrix


def test_the_matrix_varies_each_factor_alone_and_has_corners():
    centre = matrix.Combination()
    values = (matrix.PYTHONS, tuple(matrix.RELEASES), matrix.KERNELS, matrix.THREADS)
    for factor, choices in zip(centre._fields, values, strict=True):
        for choice in choices:
            assert centre._replace(**{factor: choice}) in matrix.FULL
    corners = [
        each for each in matrix.FULL if sum(a != b for a, b in zip(each, centre, strict=True)) > 1
    ]
    assert {each.releases for each in corners} == set(matrix.RELEASES)
    assert {each.kernel for each in matrix.SHORT} < set(matrix.KERNELS) - {""}
    assert len(set(matrix.FULL)) == len(matrix.FULL)


def test_the_matrix_is_red_if_one_combination_is(monkeypatch, capsys):
    def run(combination, folder):
        failed = ["FAILED notebook::Cell 3"] if combination.kernel == "Haswell" else []
        return {"numpy": "2.0.0", "seconds": "1"}, failed

    monkeypatch.setattr(matrix, "run", run)
    assert matrix.main(["--short"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[-1].endswith("Haswell, threads 2: FAILED notebook::Cell 3")
    assert len(told) == 1 + len(matrix.SHORT) + 1
    assert {line.index("2.0.0") for line in told[1:-1]} == {told[0].index("numpy")}
    monkeypatch.setattr(matrix, "run", lambda *_: ({"seconds": "1"}, []))
    assert matrix.main(["--short"]) == 0
    # nothing ran, nothing is proved
    monkeypatch.setattr(matrix, "run", lambda *_: ({"python": "not on this machine"}, []))
    assert matrix.main(["--short"]) == 1


def test_the_matrix_tells_what_this_machine_cannot_run(monkeypatch, tmp_path):
    monkeypatch.setattr(matrix, "find_python", lambda version: version != "3.14" and sys.executable)
    monkeypatch.setattr(matrix, "has_avx512", lambda: False)
    assert matrix.run(matrix.Combination("3.14"), tmp_path) == (
        {"python": "not on this machine"},
        [],
    )
    told = matrix.run(matrix.Combination(kernel="SkylakeX"), tmp_path)
    assert told == ({"blas": "no AVX-512 here"}, [])
    assert matrix.count("failed", "== 2 failed, 31 passed in 3s ==") == "2"
    assert matrix.count("failed", "== 31 passed in 3s ==") == "0"
