"""The folder of a board: who may use it, and how the one that does is asked for a new key."""

import os

try:
    import fcntl
except ImportError:
    fcntl = None


def lock(folder):
    """One process for each folder: two would number their frames alike. Held until the process ends; Windows has no such lock."""
    if fcntl is None:
        return True
    lock.file = open(os.path.join(folder, "lock"), "w", encoding="ascii")
    try:
        fcntl.flock(lock.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def rotation_path(folder):
    """The file by which another process asks the running board for a new key."""
    return os.path.join(folder, "rotate")
