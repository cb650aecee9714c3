"""Read at the start of each kernel of the environment that the course is installed in."""

from contextlib import suppress

c = get_config()  # noqa: F821
c.InteractiveShellApp.extensions.append("course_utils.too_early")
# now, while the folder of the notebook is not searched: it may hold a file of the same name
with suppress(ImportError):
    import course_utils.too_early  # noqa: F401
