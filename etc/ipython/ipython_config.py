"""Read at the start of each kernel of the environment that the course is installed in."""

import logging
import sys
from contextlib import suppress

c = get_config()  # noqa: F821
c.InteractiveShellApp.extensions.append("course_utils.too_early")
# now, while the folder of the notebook is not searched: it may hold a file of the same name
with suppress(ImportError):
    import course_utils.too_early  # noqa: F401
# in a page each kernel finds its fonts anew, and says so above the first output
if sys.platform == "emscripten":
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
