"""Airalo's Partner API v2 as documented, on loopback: a store of its own, and strict about what it is sent.

A test holds the `AiraloStub` itself; `python -m tests.esim.suppliers.airalo.stub --port 9104` is a process of its own.
"""

import hashlib
import hmac
import json
from collections import Counter
from decimal import Decimal
from typing import Any

from tests.esim.suppliers.airalo import goods
from tests.esim.suppliers.airalo.books import DAY_SECONDS, Books, answered, listed
from tests.esim.suppliers.airalo.documented import (
    MINUTE,
    NO_SUCH_PACKAGE,
    NOT_FOUND,
    NOT_YOURS,
    TOO_MANY,
    WRONG_CLIENT,
    Invalid,
    business_refusal,
    invalid,
)
from tests.esim.suppliers.airalo.rules import (
    FORM,
    JSON,
    fields_of,
    included,
    refuse_bad_order,
    refuse_bad_refund,
    refuse_bad_top_up,
    refuse_query,
)
from tests.support.supplier_stub import Answer, Heard, SupplierStub, route, run

CLIENT_ID, CLIENT_SECRET = "stub-client", "stub-client-secret"
MOST_A_PAGE = 2
SUCCESS = {"message": "success"}
ORDER = ("POST", "/orders")
TOP_UP = ("POST", "/orders/topups")
REFUND = ("POST", "/refund")


class AiraloStub(SupplierStub):
    prefix = "/v2"

    def __init__(self, *, port: int = 0, client_id: str = CLIENT_ID) -> None:
        self.client_id = client_id
        self.books = Books()
        self.percent = 100
        self.sold_out = False
        super().__init__(port=port)

    def authorised(self, heard: Heard) -> bool:
        bearer = heard.headers.get("authorization", "").removeprefix("Bearer ")
        return heard.path == "/token" or bearer in self.books.tokens

    def unauthorised(self) -> Answer:
        return 401, {"data": [], "meta": {"message": "Unauthenticated."}}

    def unknown(self) -> Answer:
        return 404, NOT_FOUND

    def _answer(self, heard: Heard) -> Answer:
        if "application/json" not in heard.headers.get("accept", ""):
            return 302, b"", {"Location": "https://stub.example/login"}
        try:
            status, body, *headers = super()._answer(heard)
        except Invalid as refused:
            return 422, invalid(refused.fields)
        return (status, plain(body), *headers)

    # --- what tests ask of it -----------------------------------------------------------------------------------

    def store(self) -> dict[str, int]:
        """How often each of our references was ordered."""
        with self.lock:
            return dict(Counter(order.get("_sent", order["description"]) for order in self.books.orders))

    def iccid_of(self, reference: str) -> str:
        (order,) = [order for order in self.books.orders if order["description"] == reference]
        return str(order["sims"][0]["iccid"])

    def refund(self, reference: str, *, slug: str = "refunded") -> None:
        """Their people have decided: `partially_refunded` is the other status that says so."""
        for order in self.books.orders:
            if order["description"] == reference:
                order["status"] = {"name": slug.replace("_", " ").capitalize(), "slug": slug}

    # --- what it serves -----------------------------------------------------------------------------------------

    @route("POST", "/token")
    def token(self, heard: Heard) -> Answer:
        fields = fields_of(heard, FORM)
        wanted = {
            "client_id": self.client_id,
            "client_secret": CLIENT_SECRET,
            "grant_type": "client_credentials",
        }
        if missing := wanted.keys() - fields.keys():
            raise Invalid(**{name: f"The {name} field is required." for name in missing})
        if fields != wanted:
            return 401, WRONG_CLIENT
        token = self.books.new_token()
        if token is None:
            return 429, TOO_MANY, MINUTE
        data = {"token_type": "Bearer", "expires_in": DAY_SECONDS, "access_token": token}
        return 200, {"data": data, "meta": SUCCESS}

    @route("GET", "/packages")
    def packages(self, heard: Heard) -> Answer:
        """From the second page on, `data` is an object whose keys are its indexes."""
        refuse_query(heard, {"filter[type]", "filter[country]", "limit", "page", "include"})
        kind = heard.query.get("filter[type]", "")
        if kind not in ("local", "global"):
            raise Invalid(**{"filter.type": "The selected filter.type is invalid."})
        if heard.query.get("include", "topup") != "topup":
            raise Invalid(include="The selected include is invalid.")
        places = self.shelf(kind)
        if "include" not in heard.query:
            places = goods.without_top_ups(places)
        size = min(int(heard.query.get("limit", MOST_A_PAGE)), MOST_A_PAGE)
        page, last = int(heard.query.get("page", 1)), -(-len(places) // size)
        first = (page - 1) * size
        here = {str(at): place for at, place in enumerate(places) if first <= at < first + size}
        meta = {**SUCCESS, "current_page": page, "last_page": last, "per_page": str(size)}
        return 200, {
            "pricing": {"model": "net_pricing", "discount_percentage": 0},
            "data": here if page > 1 else list(here.values()),
            "meta": {**meta, "total": len(places)},
        }

    @route(*ORDER)
    def order(self, heard: Heard) -> Answer:
        """Buys, whatever was bought under this description before."""
        body = fields_of(heard, JSON, FORM)
        refuse_bad_order(body)
        name = body["package_id"]
        if name in goods.SANDBOX:
            return business_refusal(goods.SANDBOX[name])
        on_sale = goods.packages_on([*self.shelf("local"), *self.shelf("global")])
        package = next((p for p in on_sale if p["id"] == name and p["type"] == "sim"), None)
        if package is None:
            raise Invalid(package_id=NO_SUCH_PACKAGE)
        if self.sold_out:
            return business_refusal(34)
        return 200, {"data": answered(self.books.buy(package, body)), "meta": SUCCESS}

    @route(*TOP_UP)
    def top_up(self, heard: Heard) -> Answer:
        """A form alone. Buys, whatever was bought before."""
        body = fields_of(heard, FORM)
        refuse_bad_top_up(body)
        if self.books.profile(body["iccid"]) is None:
            raise Invalid(iccid="The selected iccid is invalid.")
        package = next((p for p in self.top_ups() if p["id"] == body["package_id"]), None)
        if package is None:
            raise Invalid(package_id=NO_SUCH_PACKAGE)
        return 200, {"data": answered(self.books.top_up(package, body)), "meta": SUCCESS}

    @route(*REFUND)
    def refund_request(self, heard: Heard) -> Answer:
        """A form alone. Takes the same request again; people decide, and no call says what."""
        body = fields_of(heard, FORM)
        refuse_bad_refund(body)
        iccid = body["iccids[]"]
        if self.books.profile(iccid) is None:
            meta = {"message": f"The following ICCIDs do not belong to your company: {iccid}"}
            return 422, {"data": [], "meta": meta}
        self.books.refunds.append(dict(body))
        data = {"refund_id": f"{len(self.books.refunds):05d}", "created_at": self.books.written_now()[:-3]}
        return 202, {"data": data, "meta": SUCCESS}

    @route("GET", "/orders")
    def orders(self, heard: Heard) -> Answer:
        """The filters find what contains the text."""
        refuse_query(heard, {"filter[description]", "filter[iccid]", "include", "limit", "page"})
        found = self.books.like(heard.query.get("filter[description]", ""))
        if iccid := heard.query.get("filter[iccid]"):
            found = [order for order in self.books.of_profile(iccid) if order in found]
        shown = [listed(order, included(heard)) for order in found[: int(heard.query.get("limit", 100))]]
        return 200, {"data": shown, "meta": {**SUCCESS, "last_page": 1, "total": len(shown)}}

    @route("GET", "/orders/{number}")
    def read(self, heard: Heard, number: str) -> Answer:
        """An order that is not the caller's, or none at all, is refused as if the token were wrong."""
        refuse_query(heard, {"include"})
        order = self.books.order(number)
        return (401, NOT_YOURS) if order is None else self.found(listed(order, included(heard)))

    @route("GET", "/sims/{iccid}/usage")
    def usage(self, heard: Heard, iccid: str) -> Answer:
        return self.found(self.books.usage_of(iccid))

    @route("GET", "/sims/{iccid}/topups")
    def top_up_list(self, heard: Heard, iccid: str) -> Answer:
        packages = [{**package, "short_info": None} for package in self.top_ups()]
        return self.found(packages if self.books.profile(iccid) else None)

    @route("GET", "/sims/{iccid}/instructions")
    def instructions(self, heard: Heard, iccid: str) -> Answer:
        """A language that their help pages do not list is answered in English, which no document of theirs confirms."""
        asked = heard.headers.get("accept-language", "en")
        language = asked if asked in goods.LANGUAGES else "en"
        return self.found(goods.instructions_in(language) if self.books.profile(iccid) else None)

    def found(self, data: Any) -> Answer:
        return self.unknown() if data is None else (200, {"data": data, "meta": SUCCESS})

    def shelf(self, kind: str) -> list[dict[str, Any]]:
        return goods.shelf(kind, percent=self.percent)

    def top_ups(self) -> list[dict[str, Any]]:
        return [] if self.sold_out else goods.top_ups(percent=self.percent)


def signed(body: dict[str, Any], *, over: str = "bytes") -> tuple[bytes, dict[str, str]]:
    """A webhook as they send it: signed over the bytes sent, or over their own client's encoding of what these mean."""
    raw = json.dumps(body, ensure_ascii=False).encode()
    compact = json.dumps(body, separators=(",", ":")).replace("/", "\\/").encode()
    return raw, signature_over({"bytes": raw, "meaning": compact}[over])


def signature_over(text: bytes) -> dict[str, str]:
    return {"airalo-signature": hmac.new(CLIENT_SECRET.encode(), text, hashlib.sha512).hexdigest()}


def plain(value: Any) -> Any:
    """Numbers where our shelf has Decimal: two places survive a float."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return float(value) if isinstance(value, Decimal) else value


if __name__ == "__main__":
    run(AiraloStub)
