"""How a server process is born: never as root where that is refused, and never outliving its parent (Linux).

As root the servers run under another user. The checkout may lie where that user may not go (/root, a 0700
directory), and nobody's directories are opened up for it: the process keeps one capability instead, the right
to pass permission checks on files. It can do no more with it than the root that started it could.
"""

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_SECUREBITS = 28
PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 47, 2
SECBIT_NO_SETUID_FIXUP = (
    1 << 2
)  # a change of user leaves capabilities as they are, also in the eyes of access(2)
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522

_linux = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True)


class User(NamedTuple):
    uid: int
    gid: int


def server_user(directory: Path) -> User | None:
    """Whom servers in `directory` run as: None is ourselves; for root the place's owner, or nobody."""
    if os.geteuid() != 0:
        return None
    nearest = next(path for path in (directory, *directory.parents) if path.exists())
    owner = nearest.stat()
    if owner.st_uid != 0:
        return User(owner.st_uid, owner.st_gid)
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_uid, nobody.pw_gid)


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


def become(user: User) -> None:
    """Change to `user`, keeping CAP_DAC_OVERRIDE if we have it; if not, directories must be open to them."""
    if _linux:
        _libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setresgid(user.gid, user.gid, user.gid)
    os.setresuid(user.uid, user.uid, user.uid)
    if _linux:
        _keep_only(CAP_DAC_OVERRIDE)
    os.umask(0o077)


def _keep_only(capability: int) -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    low = 1 << capability
    sets = (ctypes.c_uint32 * 6)(
        low, low, low, 0, 0, 0
    )  # effective, permitted, inheritable; then their high halves
    if _libc.capset(header, sets) != 0:
        nothing = (ctypes.c_uint32 * 6)()
        _libc.capset(header, nothing)
        return
    _libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0)  # what survives an exec


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
