import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.processes import User
from config.embedded.servers import Postgres, Redis, Server, ServerError, base
from config.embedded.servers.programs import binary, may_run
from tests.support.tools import needs_root

pytestmark = [
    pytest.mark.stack,
    needs_root,
]

NOBODY = User(pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that everybody may enter; the one that pytest gives is root's alone."""
    directory = Path(tempfile.mkdtemp(dir="/tmp"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


def test_a_program_may_be_run_where_it_and_all_directories_above_it_allow_that(place: Path) -> None:
    program = place / "closed" / "open" / "program"
    program.parent.mkdir(parents=True)
    program.touch()
    found = {}
    for directory, file in ((0o700, 0o755), (0o711, 0o700), (0o711, 0o711), (0o711, 0o755)):
        program.parents[1].chmod(directory)
        program.chmod(file)
        found[directory, file] = may_run(program, NOBODY)
    assert [key for key, may in found.items() if may] == [(0o711, 0o755)]
    program.parents[1].chmod(0o700)
    os.chown(program.parents[1], *NOBODY)
    assert may_run(program, NOBODY)


@pytest.mark.parametrize("kind", [Postgres, Redis])
def test_a_server_that_may_not_go_to_its_programs_runs_a_copy_which_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Server]
) -> None:
    monkeypatch.setattr(base, "may_run", lambda program, user: False)
    server = kind(tmp_path / "server")
    server.start()
    program = Path(os.readlink(f"/proc/{server.process.pid}/exe"))
    try:
        assert program.name == binary(program.name).name
        assert not program.is_relative_to(binary(program.name).parents[2])
        assert may_run(program, server.user)
        assert (program.stat().st_uid, program.stat().st_mode & 0o022) == (0, 0)
        server.kill()
        server.start()
    finally:
        server.stop()
    assert not program.exists()


def test_a_copy_is_not_put_where_somebody_else_has_put_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "may_run", lambda program, user: False)
    server = Redis(tmp_path / "server")
    planted = base.place_for_copies(server.user) / f"{base._mark(server.directory)}-programs"  # type: ignore[attr-defined]
    planted.mkdir()
    os.chown(planted, *NOBODY)
    try:
        with pytest.raises(ServerError, match="belongs to another user"):
            server.start()
    finally:
        planted.rmdir()
