"""The thin module behind the notebooks: numbers, pictures, sliders, checks.

`encoding`, `attention` and `compare` hold the numbers and need NumPy only.
`plots`, `explorers` and `checks` are imported by name where they are used.
"""
