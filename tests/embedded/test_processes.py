"""Under whom servers run when root starts them."""

import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.embedded.processes import OWN_UIDS, User, become, server_user, with_a_name
from tests.embedded.support import as_user
from tests.support.tools import needs_root

pytestmark = needs_root

NOBODY = User(pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)
UNKNOWN = User(OWN_UIDS[-1], OWN_UIDS[-1])


@contextmanager
def sleeper(user: User) -> Iterator[int]:
    process = subprocess.Popen(
        ["sleep", "60"], preexec_fn=lambda: become(user), cwd="/", stdin=subprocess.DEVNULL
    )
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def test_a_place_has_one_user_and_another_place_another(tmp_path: Path) -> None:
    here = server_user(tmp_path / "run")
    elsewhere = {
        server_user(tmp_path / str(number) / "run") for number in range(4)
    }  # two may have one number by chance
    assert here is not None
    assert here == server_user(tmp_path / "run")
    assert elsewhere - {here, None}
    assert here.uid == here.gid
    assert here.uid in OWN_UIDS


def test_a_number_that_a_process_has_is_left_to_it_unless_the_place_is_already_its(tmp_path: Path) -> None:
    first = server_user(tmp_path)
    assert first is not None
    with sleeper(first):
        assert server_user(tmp_path) not in (first, None)
        os.chown(tmp_path, *first)
        assert server_user(tmp_path) == first


def test_a_number_that_an_account_has_is_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, look_up = server_user(tmp_path), pwd.getpwuid
    assert first is not None
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: look_up(0 if uid == first.uid else uid))
    assert server_user(tmp_path) not in (first, None)


def test_the_owner_of_the_place_runs_its_servers_but_never_nobody(tmp_path: Path) -> None:
    os.chown(tmp_path, 4711, 4712)
    assert server_user(tmp_path / "not" / "yet" / "made") == User(4711, 4712)
    os.chown(tmp_path, *NOBODY)
    found = server_user(tmp_path)
    assert found is not None
    assert found.uid in OWN_UIDS


def test_what_stands_in_for_a_user_without_an_account_is_closed_to_its_namesakes() -> None:
    stand_in = with_a_name(UNKNOWN)
    assert stand_in == User(NOBODY.uid, UNKNOWN.gid)
    with sleeper(NOBODY) as like_them, sleeper(stand_in) as ours:
        looks = [
            ["read", f"/proc/{pid}/{way}"] for pid in (like_them, ours) for way in ("fd/0", "cwd/", "environ")
        ]
        outcomes = as_user(NOBODY, looks)
    assert outcomes[:3] == ["done"] * 3
    assert ["ermission denied" in outcome for outcome in outcomes[3:]] == [True] * 3


def test_a_user_with_an_account_needs_no_stand_in() -> None:
    assert with_a_name(NOBODY) == NOBODY
