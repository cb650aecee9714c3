"""The colours of the figures, as colour-blind viewers see them.

Simulated after Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of
Color Vision Deficiency (2009), at full severity; differences are CIEDE2000, where about 2 can just
be seen side by side, and 10 at a glance.
"""

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from coloraide import Color
from matplotlib.colors import to_hex

from course_utils import plots

AT_A_GLANCE = 10
EYES = [None, "protan", "deutan", "tritan"]


def seen(colour, eyes):
    colour = Color(to_hex(colour))
    return colour.filter(eyes, method="machado") if eyes else colour


def difference(one, other, eyes):
    return seen(one, eyes).delta_e(seen(other, eyes), method="2000")


def lightness(colour, eyes):
    return seen(colour, eyes).convert("lab-d65")["lightness"]


def rises(name, eyes, count=33):
    """Whether each step of a colour map is lighter than the one before."""
    steps = [lightness(mpl.colormaps[name](x), eyes) for x in np.linspace(0, 1, count)]
    return all(after > before for before, after in pairwise(steps))


def tells_signs_apart(name, eyes):
    """Whether a half and a whole of each sign differ from the other sign and from the middle."""
    low, lower, middle, higher, high = (mpl.colormaps[name](x) for x in (0.0, 0.25, 0.5, 0.75, 1.0))
    pairs = [(low, high), (lower, higher), *((c, middle) for c in (low, lower, higher, high))]
    return all(difference(one, other, eyes) > AT_A_GLANCE for one, other in pairs)


def alike(lines, eyes):
    """Pairs of lines with one dash whose colours cannot be told apart."""
    return [
        (one, other)
        for (one, dash), (other, other_dash) in combinations(lines, 2)
        if dash == other_dash and difference(one, other, eyes) < AT_A_GLANCE
    ]


@pytest.mark.parametrize("eyes", EYES)
def test_shares_grow_lighter(eyes):
    assert rises(plots.SHARES, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_signs_differ(eyes):
    assert tells_signs_apart(plots.SIGNED, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_lines_differ(eyes):
    assert alike(list(zip(plots.COLOURS, plots.DASHES, strict=True)), eyes) == []
    # the first four, more than most figures have, by colour alone
    assert alike([(colour, "-") for colour in plots.COLOURS[:4]], eyes) == []


def test_other_colours_would_not_do():
    assert not rises("jet", None)
    assert not tells_signs_apart("RdYlGn", "deutan")
    assert alike([("#808000", "-"), ("#b06000", "-")], "deutan")
    assert not alike([("#808000", "-"), ("#b06000", "--")], "deutan")
