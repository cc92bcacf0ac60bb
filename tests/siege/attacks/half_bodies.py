"""Bodies that never arrive: a length is promised, one byte comes, then silence, or a byte a second."""

from tests.siege.attack import Attack
from tests.siege.field import Field

COUNT = 200
PATIENCE = 35.0


def half(field: Field, path: str, *, key: str = "", kind: str = "application/json", **headers: str) -> bytes:
    """The head of a request, and the first byte of 1,000."""
    whole = field.request("POST", path, b"{" + b" " * 999, key=key, Content_Type=kind, **headers)
    return whole[:-999]


async def with_a_key(field: Field) -> None:
    opening = half(field, "/v1/hotels/searches", key=field.key("heavy"))
    await field.relentless(COUNT, lambda number: field.hold(opening))


async def with_a_key_dripping(field: Field) -> None:
    opening = half(field, "/v1/hotels/searches", key=field.key("heavy"))
    await field.relentless(COUNT, lambda number: field.hold(opening, drip=b" "))


async def to_the_sign_in(field: Field) -> None:
    """With the cookie of a form: without it the body is not even looked at."""
    token = "a" * 32
    opening = half(
        field,
        "/account/login/",
        kind="application/x-www-form-urlencoded",
        Cookie=f"csrftoken={token}; __Host-csrftoken={token}",
    )
    await field.relentless(COUNT, lambda number: field.hold(opening))


async def to_a_suppliers_webhooks(field: Field) -> None:
    opening = half(field, "/suppliers/duffel/webhooks", X_Duffel_Signature="t=1,v2=00")
    await field.relentless(COUNT, lambda number: field.hold(opening, drip=b" "))


ATTACKS = [
    Attack("half-bodies-key", with_a_key, patience=PATIENCE, must_end=True),
    Attack("half-bodies-key-drip", with_a_key_dripping, patience=PATIENCE),
    Attack("half-bodies-login", to_the_sign_in, patience=PATIENCE, must_end=True),
    Attack(
        "half-bodies-webhooks-drip",
        to_a_suppliers_webhooks,
        patience=PATIENCE,
        hung=("flights",),  # only a supplier that serves live keys may send webhooks
        victims=("account", "transfer search", "transfer booking"),
    ),
]
