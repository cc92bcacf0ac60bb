from apps.accounts.actors import actor_of
from apps.accounts.models import Account, User
from apps.request_log import writer
from tests.factories.keys import issued_key
from tests.support.api import Api


def add(account: Account, owner: User) -> dict[str, str]:
    """Make calls that succeed and calls that are refused, and write all calls so far to the log."""
    key, secret = issued_key(account, name="Office", actor=actor_of(owner))
    api = Api(secret)
    api.get("/v1/account")
    api.post("/v1/flights/searches", {"origin": "LIS", "destination": "XXX", "departureDate": "soon"})
    api.get("/v1/hotels/bookings/hbk_unheard_of")
    refused = api.post("/v1/hotels/searches", {"rooms": [{"adults": 0}], "guestName": "Ines Prado"})
    write_down()
    return {"request": refused.body["error"]["requestId"], "request_key": key.id}


def write_down() -> None:
    """Write the calls that the web process still holds in memory to the log."""
    assert writer.writer.flush()
