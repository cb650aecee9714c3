"""The course on a hub of one machine, The Littlest JupyterHub.

As root, on a machine where it is installed:

    sudo -E /opt/tljh/user/bin/python -m pip install ".[present]" nbgitpuller
    sudo cp hub/course.py /opt/tljh/config/jupyterhub_config.d/
    sudo tljh-config set limits.memory 1G
    sudo tljh-config reload hub
"""

c = get_config()  # noqa: F821
c.Spawner.environment.update(
    {
        # students share the processors: threads that wait for each other would take them all
        "OPENBLAS_NUM_THREADS": "1",
        # bytes: memory that a cell has done with goes back to the machine
        "MALLOC_MMAP_THRESHOLD_": "131072",
        "MALLOC_TRIM_THRESHOLD_": "131072",
    }
)
