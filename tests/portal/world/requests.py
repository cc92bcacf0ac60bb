from apps.accounts.actors import actor_of
from apps.accounts.models import Account, User
from apps.gateway.request_log import writer
from apps.gateway.request_log.drain import drain
from tests.factories.keys import issued_key
from tests.support.api import Api


def furnish(account: Account, owner: User) -> dict[str, str]:
    """Calls that came through, and some that were stopped; all that were made so far are in the log."""
    key, secret = issued_key(account, name="Office", actor=actor_of(owner))
    api = Api(secret)
    api.get("/v1/account")
    api.post("/v1/flights/searches", {"origin": "LIS", "destination": "XXX", "departureDate": "soon"})
    api.get("/v1/hotels/bookings/hbk_unheard_of")
    refused = api.post("/v1/hotels/searches", {"rooms": [{"adults": 0}], "guestName": "Ines Prado"})
    write_down()
    return {"request": refused.body["error"]["requestId"], "request_key": key.id}


def write_down() -> None:
    """What the web process has in hand goes into the log."""
    assert writer.writer.flush()
    drain()
