"""How a server process is born: never as root where that is refused, and never outliving its parent (Linux).

As root each server runs under a user of its own: a number that no account and no process has. It keeps no right
of root's. Where it may not go by itself (the checkout lies in /root, or in another 0700 directory) nothing is
opened up for it: it is born in its directory and handed its sockets' (`servers.base`).
"""

import ctypes
import grp
import hashlib
import os
import pwd
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522
OWN_UIDS = range(61184, 65520)  # those that systemd, too, gives to services without an account

_linux = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True)


class User(NamedTuple):
    uid: int
    gid: int


def server_user(directory: Path) -> User | None:
    """Whom servers in `directory` run as: None is ourselves; for root the place's owner, or a user of its own.

    The owner of `directory` is the record: whoever ran there before does so again. Not `nobody`, whom others are too.
    """
    if os.geteuid() != 0:
        return None
    nearest = next(path for path in (directory, *directory.parents) if path.exists())
    owner = nearest.stat()
    if owner.st_uid not in (0, _nobody().uid):
        return User(owner.st_uid, owner.st_gid)
    return _unused_user(directory)


def with_a_name(user: User) -> User:
    """For initdb, which insists on an account: `user`, or `nobody` in a group where only `user` is.

    Being in that group keeps other processes of `nobody` out: the kernel lets one process look into another
    (ptrace(2), and all of /proc/<pid> that leads to files or memory) only where users and groups are the same.
    """
    try:
        pwd.getpwuid(user.uid)
    except KeyError:
        return User(_nobody().uid, user.gid)
    return user


def before_exec(death_signal: signal.Signals, user: User | None = None) -> Callable[[], None]:
    """What a child does between fork and exec: become `user`, and get `death_signal` when its parent dies.

    The kernel means the parent *thread*: start servers from one that lasts.
    """
    parent = os.getpid()

    def prepare() -> None:
        if user is not None:
            become(user)
        die_with_parent(death_signal)  # a change of user clears it: so, afterwards
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def die_with_parent(death_signal: signal.Signals) -> None:
    if _linux:
        _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)


def name_process(name: str) -> None:
    """What `ps` and `top` show where they show no arguments; its children have it too."""
    if _linux:
        _libc.prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def become(user: User) -> None:
    """Change to `user` for good: without groups, capabilities, or a way to get any from a program that gives them."""
    os.setgroups([])
    os.setresgid(user.gid, user.gid, user.gid)
    os.setresuid(user.uid, user.uid, user.uid)
    if _linux:
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        nothing = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then their high halves
        _libc.capset(header, nothing)
        _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    os.umask(0o077)


def birth_of(pid: int) -> str | None:
    """A mark telling this process from a later one with the same number; None when it has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else fields[18]


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _nobody() -> User:
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_uid, nobody.pw_gid)


def _unused_user(directory: Path) -> User:
    """The same one for the same place, unless that has been taken meanwhile."""
    first = int.from_bytes(hashlib.sha256(os.fsencode(directory.absolute())).digest()[:4])
    running = _users_of_processes()
    for step in range(len(OWN_UIDS)):
        uid = OWN_UIDS[(first + step) % len(OWN_UIDS)]
        if uid not in running and not _is_known(uid):
            return User(uid, uid)
    raise RuntimeError(f"No user from {OWN_UIDS[0]} to {OWN_UIDS[-1]} is unused.")


def _is_known(number: int) -> bool:
    """Whether there is an account or a group of that number."""
    lookups: tuple[Callable[[int], object], ...] = (pwd.getpwuid, grp.getgrgid)
    for look_up in lookups:
        with suppress(KeyError):
            look_up(number)
            return True
    return False


def _users_of_processes() -> set[int]:
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            found.add(process.stat().st_uid)
    return found
