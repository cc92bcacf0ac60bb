"""What Duffel demands of the documents of passengers: types that the offer supports, and one of everybody where it requires them;
and of their loyalty accounts: those of programmes that the offer does not support are ignored.

No document has the codes of these refusals: they are those of other fields of a body.
"""

import re
from typing import Any

from apps.common.validators import COUNTRIES
from tests.flights.suppliers.duffel.demands import day, one_of, only
from tests.flights.suppliers.duffel.wire import Data, Refused

UNKNOWN = "0000000000"
NUMBER = re.compile(r"[A-Za-z0-9-]{1,30}")


def documents(passengers: list[Data], offer: Data) -> None:
    for position, one in enumerate(passengers):
        at = f"/passengers/{position}/identity_documents"
        given = one.get("identity_documents", [])
        if offer["passenger_identity_documents_required"] and not given:
            raise Refused("validation_required", field="identity_documents", pointer=at)
        for place, document in enumerate(given):
            _document(document, f"{at}/{place}", offer["supported_passenger_identity_document_types"])


def accounts(passengers: list[Data], offer: Data) -> None:
    for position, one in enumerate(passengers):
        at = f"/passengers/{position}/loyalty_programme_accounts"
        for place, account in enumerate(one.get("loyalty_programme_accounts", [])):
            only(account, {"airline_iata_code", "account_number"})
            if not NUMBER.fullmatch(account["account_number"]):
                where = f"{at}/{place}/account_number"
                raise Refused("validation_format", field="account_number", pointer=where)
            supported = account["airline_iata_code"] in offer["supported_loyalty_programmes"]
            if supported and account["account_number"] == UNKNOWN:
                raise Refused("invalid_loyalty_card")


def _document(given: Any, at: str, supported: list[str]) -> None:
    only(given, {"type", "unique_identifier", "issuing_country_code"}, {"expires_on"})
    one_of(given["type"], set(supported), "type", f"{at}/type")
    one_of(given["issuing_country_code"], COUNTRIES, "issuing_country_code", f"{at}/issuing_country_code")
    if not NUMBER.fullmatch(given["unique_identifier"]):
        raise Refused("validation_format", field="unique_identifier", pointer=f"{at}/unique_identifier")
    if "expires_on" in given:
        day(given["expires_on"], "expires_on", f"{at}/expires_on")
    elif given["type"] == "passport":
        raise Refused("validation_required", field="expires_on", pointer=f"{at}/expires_on")
