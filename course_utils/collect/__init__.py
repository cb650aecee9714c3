"""What a class thinks: submitted notebooks in, the class by exercise and cause out.

``python -m course_utils.collect FOLDER`` reads a folder of notebooks, one a student, or a folder
for each student, in either language, any number of chapters. It prints the class by exercise and
cause, and writes ``class.csv`` and ``class.html``, a page with bars, the feedback's words, an
answer that shows the mistake, and a question that helps. ``--watch`` does it again whenever a
notebook is saved. The same notebooks give the same files, unless an answer draws at random without
a seed, or takes about as long as it may.

Only answer cells run, found by their ids. An answer that uses what another cell defines is not
judged; nor is one whose cell is lost, or there twice with different answers. Cells that call a
check under another id, and cells in another order, are told.

**What protects you from what students hand in.** Each notebook runs in a process of its own, with
an environment of a few fixed variables, an empty home, no input, and limits: 15 seconds an answer,
30 a notebook, 2 GiB of memory a process, 1 MiB a file. On Linux it also gets, where the system
allows this without root, namespaces of its own (no network, no sight of other processes, which all
end with it) and Landlock rules: it reads Python, the system's libraries and this package only, and
writes, connects and signals nowhere. What comes back is read as data: nothing reaches the page
unescaped, and the page admits no script.

**What does not.** An answer runs in the process that judges it, so one who tries can forge its
verdict, though nobody else's: read the answers before you give marks. One that keeps all processors
busy makes others late, and some may run out of time. Where there is no Linux, or
its kernel admits neither namespaces nor Landlock, an answer may read and write what you may, and
use the network; on Windows, where none of this was tried, only the time is limited. A line on
stderr says which of these are missing. A hole in the kernel, in Python or in NumPy is a way out
everywhere. An answer may name its author in its text, and the page shows some: comments, and the
name of the folder or file, are taken out, and nothing else. If you do not know the authors, run it
in a container (not tried here), without a network and with the folder read-only::

    docker run --rm --network none -v "$PWD/submitted:/in:ro" -v "$PWD/out:/out" IMAGE \\
        python -m course_utils.collect /in --out /out
"""

__all__: list[str] = []
