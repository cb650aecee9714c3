"""Draw the picture at the top of the README: `python -m tools.picture`."""

from matplotlib.figure import Figure
from PIL import Image

from course_utils import encoding, plots
from tools.notebooks import ROOT

PICTURE = ROOT / "notebooks" / "positional_encoding.png"


def main() -> None:
    plots.use_style()
    figure = Figure(figsize=(9, 4), dpi=100, layout="constrained")
    plots.heat_map(figure.subplots(), encoding.sinusoidal_positional_encoding(40, 64))
    figure.savefig(PICTURE)
    with Image.open(PICTURE) as image:
        image.convert("P", palette=Image.Palette.ADAPTIVE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
