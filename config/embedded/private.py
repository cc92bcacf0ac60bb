"""Files and directories that nobody but ourselves may read, whatever the umask says."""

import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import BinaryIO


def private_directory(path: Path) -> None:
    """Make it, with its parents, for us alone; one of ours that was open to others is closed to them."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o077:
        path.chmod(0o700)


def private_log(path: Path, *, anew: bool = False) -> BinaryIO:
    """Open it to write at its end, or `anew`."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if anew else os.O_APPEND)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def write_private(path: Path, text: str, owner: tuple[int, int] | None = None) -> None:
    """Whole or not at all, and never through a link that whoever owns the directory has put there."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w") as file:
        if owner is not None:
            os.fchown(descriptor, *owner)
        file.write(text)
    draft.rename(path)


def kept_secret(path: Path) -> str:
    """32 random bytes made once, in the form that Fernet reads. Of several makers one wins."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.draft.{os.getpid()}")
        write_private(draft, urlsafe_b64encode(secrets.token_bytes(32)).decode())
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def hand_over(directory: Path, owner: tuple[int, int]) -> None:
    """Make `owner` the owner of all in `directory` that belonged to who owned it so far, who is shut out first."""
    former = directory.lstat().st_uid
    os.chown(directory, *owner, follow_symlinks=False)
    directory.chmod(0o700)
    for _, folders, files, descriptor in os.fwalk(directory):
        for name in (*folders, *files):
            if os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_uid == former:
                os.chown(name, *owner, dir_fd=descriptor, follow_symlinks=False)
