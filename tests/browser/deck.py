"""A deck of jupyterlab-slideshow, walked from its first slide to its last."""

from tools.notebooks import ROOT, course_notebooks

# a projector
VIEWPORT = {"width": 1280, "height": 720}
CHAPTERS = [
    path.relative_to(ROOT).as_posix() for path in course_notebooks() if path.stem[0].isdigit()
]

START = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = 0;
    await Promise.all(notebook.widgets.map(cell => cell.ready));
    await jupyterapp.commands.execute('deck:start');
}"""
SIZES = """() => ['.jp-RenderedMarkdown p', '.cm-content'].map(
    part => getComputedStyle(document.querySelector('.jp-Notebook ' + part)).fontSize)"""
# one step is what the space bar does; hidden fragments keep their place, so a slide never grows
WALK = """async () => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const unseen = 'mjx-assistive-mml, details:not([open]) > :not(summary)';
    const stops = [], cut = [];
    for (;;) {
        await frame(); await frame();
        const id = notebook.activeCell.model.id;
        if (stops.at(-1) === id) break;
        stops.push(id);
        const cells = notebook.widgets.filter(
            cell => cell.node.classList.contains('jp-deck-mod-onscreen'));
        if (cells[0].model.id !== id) cells.length = 0;
        for (const cell of cells) {
            for (const each of [cell.node, ...cell.node.querySelectorAll('*')]) {
                if (each.closest(unseen)) continue;
                if (!each.getClientRects().length) continue;
                const box = each.getBoundingClientRect(), style = getComputedStyle(each);
                if (!box.width || !box.height || style.visibility === 'hidden') continue;
                const scrolls = style.overflowX !== 'visible' && each.clientWidth;
                const clips = scrolls && each.scrollWidth > each.clientWidth + 1;
                if (box.top < 0 || box.bottom > innerHeight || box.right > innerWidth || clips)
                    cut.push(`${id}: ${cell.model.id}: ${each.tagName}, ${Math.round(box.bottom)}`);
            }
        }
        await jupyterapp.commands.execute('deck:go', {direction: 'down', alternate: 'forward'});
    }
    return {stops, cut};
}"""
GO_TO = """id => {
    const notebook = jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
}"""


def start(lab):
    lab.run_all()
    assert lab.page.evaluate("() => jupyterapp.commands.hasCommand('deck:start')"), (
        "no slides: install the extra `present`"
    )
    begin(lab)


def begin(lab):
    lab.call(f"({START})()")
    lab.page.wait_for_selector(".jp-deck-mod-visible", state="attached")
    assert lab.page.evaluate(SIZES) == ["28px", "24px"]


def walk(lab):
    """Where the deck stops, and what does not fit on a slide."""
    walked = lab.call(f"({WALK})()")
    return walked["stops"], walked["cut"]
