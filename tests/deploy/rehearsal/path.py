"""A stranger's path: the commands of docs/deploy.md, one after the other in one shell, in a clean directory, each part timed.

Nothing that listens but on loopback, on free ports. As root the commands run as `nobody`, for PostgreSQL refuses root. Whatever
they have started ends with them.
"""

import ctypes
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/deploy.md"

PORTS = ("POSTGRES_PORT", "REDIS_PORT", "WEB_PORT", "HTTP_PORT", "HTTPS_PORT")
LIMIT_SECONDS = 900
PATIENCE_SECONDS = 20.0
PR_SET_CHILD_SUBREAPER = 36
HEADING, FENCED = r"^###? (?P<heading>[^\n]*)$", r"^```sh ?(?P<who>\w*)\n(?P<commands>.*?)^```$"
BLOCK = re.compile(f"{HEADING}|{FENCED}", re.MULTILINE | re.DOTALL)
LOGS = ("processes.log", "postgresql.log", "redis.log", "nginx/error.log", "health.json")


@dataclass(frozen=True)
class Block:
    """Commands that stand together. `who`: `root`; `systemd`, which only a host that it has booted can run; or anybody ("")."""

    heading: str
    who: str
    commands: str


def blocks(text: str) -> list[Block]:
    """In the order of the page."""
    found: list[Block] = []
    heading = ""
    for match in BLOCK.finditer(text):
        if match["heading"] is not None:
            heading = match["heading"]
        else:
            found.append(Block(heading, match["who"], match["commands"]))
    return found


def walk(*, keep: bool = False) -> int:
    """Run all of it and print what each part took. 0 where every command ended well."""
    adopt()
    found = blocks(PAGE.read_text())
    directory = Path(tempfile.mkdtemp(prefix="travel-partner-path-"))
    try:
        status = _run(found, directory)
        _tell(found, directory)
        if status:
            _tell_logs(directory)
        return status
    finally:
        end_all()
        if keep:
            print(f"Left in {directory}")
        else:
            subprocess.run(["chmod", "-R", "u+w", directory], check=False)
            shutil.rmtree(directory)


def script(found: list[Block], *, root: bool) -> str:
    """The commands as one program of bash that notes when each part begins. Without systemd's; root's where there is root."""
    noting = 'echo "{} $EPOCHREALTIME" >>"$BEGUN"\n'
    parts = [
        noting.format(number) + block.commands
        for number, block in enumerate(found)
        if not block.who or (block.who == "root" and root)
    ]
    return "".join([*parts, noting.format(len(found))])


def _run(found: list[Block], directory: Path) -> int:
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        _run_as_root([block for block in found if block.who == "root"], directory)
    source = directory / "source.git"
    subprocess.run(["git", "clone", "--quiet", "--bare", ROOT, source], check=True)
    home = directory / "home"
    home.mkdir()
    if user:
        for path in (directory, *directory.rglob("*")):
            os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    environment = {
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "REPOSITORY": f"file://{source}",
        "BEGUN": str(directory / "begun"),
        **{name: str(port) for name, port in _free_ports().items()},
    }
    with (directory / "output").open("wb") as output:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script(found, root=False)],
            cwd=home,
            env=environment,
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=LIMIT_SECONDS,
        )
    print((directory / "output").read_text(errors="replace"), end="", flush=True)
    return done.returncode


def _run_as_root(found: list[Block], directory: Path) -> None:
    """What installs Debian's packages."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with (directory / "output").open("wb") as output:
        for block in found:
            command = ["bash", "-euo", "pipefail", "-c", block.commands]
            subprocess.run(command, env=environment, check=True, stdout=output, stderr=output)


def _free_ports() -> dict[str, int]:
    """Ports that nobody has now; after the one for web another is free as well."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in PORTS]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        ports: dict[str, int] = {name: one.getsockname()[1] for name, one in zip(PORTS, sockets, strict=True)}
        ports["WEB_PORT"] = _two_in_a_row(set(ports.values()))
    return ports


def _two_in_a_row(taken: set[int]) -> int:
    for port in range(20_000, 30_000, 2):
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            if not {port, port + 1} & taken:
                return port
    raise RuntimeError("no two free ports side by side")


def _tell(found: list[Block], directory: Path) -> None:
    """What each part of the page took, in seconds."""
    noted = directory / "begun"
    begun = [line.split() for line in noted.read_text().splitlines()] if noted.exists() else []
    times = [(int(number), float(instant)) for number, instant in begun]
    ends = [instant for _, instant in times[1:]] + [time.time()]
    took: dict[str, float] = {}
    for (number, began), end in zip(times, ends, strict=True):
        if number < len(found):
            took[found[number].heading] = took.get(found[number].heading, 0.0) + end - began
    for heading, seconds in took.items():
        print(f"{seconds:7.1f} s  {heading}")
    print(f"{sum(took.values()):7.1f} s  in all")
    for block in found:
        if block.who == "root" and os.geteuid() != 0:
            print(f"  not run  {block.heading}: nobody but root may")
        if block.who == "systemd":
            print(
                f"  not run  {block.heading}: for a host that systemd has booted (the units are tried by their test)"
            )


def _tell_logs(directory: Path) -> None:
    for name in LOGS:
        log = directory / "home/state" / name
        if log.exists():
            print(f"--- {name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-25:]))


def adopt() -> None:
    """From now on a descendant whose parent ends becomes a child of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_all() -> None:
    """Ask all of them to end, and kill those that do not."""
    while running := psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            for process in running:
                process.terminate()
            _, alive = psutil.wait_procs(running, PATIENCE_SECONDS)
            for process in alive:
                process.kill()
