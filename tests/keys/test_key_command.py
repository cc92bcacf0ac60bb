import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.common import clock
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked
from apps.keys import authentication
from apps.keys.services import revoke_key
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("key", *arguments, stdout=out)
    return out.getvalue()


def test_revoke_ends_the_key_at_once():
    key, secret = issued_key()
    authentication.authenticate(secret)

    answer = json.loads(run("revoke", key.id, "--json"))

    key.refresh_from_db()
    assert answer == {"keyId": key.id, "revokedAt": clock.rfc3339(key.revoked_at)}
    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


def test_rotate_shows_the_new_secret_and_keeps_the_old_one_for_the_overlap(move_clock):
    key, old = issued_key()

    answer = json.loads(run("rotate", key.id, "--overlap-seconds", "30", "--json"))

    new = answer.pop("secret")
    assert answer == {"keyId": key.id, "overlapSeconds": 30}
    assert authentication.authenticate(new).key_id == authentication.authenticate(old).key_id == key.id
    move_clock(seconds=31)
    assert authentication.authenticate(new).key_id == key.id
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)


def test_without_json_the_answer_is_lines():
    key, _ = issued_key()

    first, second, third = run("rotate", key.id, "--overlap-seconds=0").splitlines()

    assert (first, third) == (f"keyId: {key.id}", "overlapSeconds: 0")
    assert authentication.authenticate(second.removeprefix("secret: ")).key_id == key.id


@pytest.mark.parametrize("overlap", ["-1", "soon", "1.5", "1_0", "9" * 30])
def test_an_overlap_that_is_no_near_time_is_refused(overlap):
    key, _ = issued_key()

    with pytest.raises(CommandError, match="is not a number of seconds"):
        run("rotate", key.id, f"--overlap-seconds={overlap}")
    assert key.secrets.count() == 1


@pytest.mark.parametrize("action", ["revoke", "rotate"])
def test_an_unknown_key_is_refused(action):
    with pytest.raises(CommandError, match="No key has the id 'key_unknown'"):
        run(action, "key_unknown")


def test_an_overlap_does_not_go_with_revoking():
    key, secret = issued_key()

    with pytest.raises(CommandError, match="only applies to rotate"):
        run("revoke", key.id, "--overlap-seconds=60")
    assert authentication.authenticate(secret).key_id == key.id


def test_what_the_service_refuses_is_said_in_one_line(move_clock):
    key, _ = issued_key(environment="live")
    move_clock(days=366)
    with pytest.raises(CommandError, match="not approved for live keys"):
        run("rotate", key.id)

    revoke_key(key=key)
    with pytest.raises(CommandError, match="revoked"):
        run("rotate", key.id)
