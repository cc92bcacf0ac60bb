"""Everything that is slow, at once and in small numbers: what the suite has the time for."""

from tests.siege.attack import Attack
from tests.siege.attacks.half_bodies import half
from tests.siege.attacks.slow_headers import OPENING
from tests.siege.attacks.slow_readers import WINDOW
from tests.siege.field import Field, together

EACH = 40
PATIENCE = 20.0


async def everything(field: Field) -> None:
    """Half-sent bodies with a key and without one, silent and dripping, and headers that never end."""
    key = field.key("heavy")
    with_key = half(field, "/v1/hotels/searches", key=key)
    cookie = f"csrftoken={'a' * 32}; __Host-csrftoken={'a' * 32}"
    to_sign_in = half(field, "/account/login/", kind="application/x-www-form-urlencoded", Cookie=cookie)
    await together(
        [
            field.relentless(EACH, lambda number: field.hold(with_key)),
            field.relentless(EACH, lambda number: field.hold(with_key, drip=b" ")),
            field.relentless(EACH, lambda number: field.hold(to_sign_in)),
            field.relentless(EACH, lambda number: field.hold(OPENING, drip=b"a")),
        ]
    )


async def readers(field: Field) -> None:
    ask = field.request("GET", "/v1/openapi.json")
    await field.relentless(EACH, lambda number: field.hold(ask, receive_buffer=WINDOW, reads=False))


ATTACKS = [
    Attack("slow-everything", everything, patience=PATIENCE, rounds=1),
    Attack("slow-readers-few", readers, rounds=1),
]
