"""Read at the start of each kernel of the environment that the course is installed in."""

c = get_config()  # noqa: F821
c.InteractiveShellApp.extensions.append("course_utils.too_early")
