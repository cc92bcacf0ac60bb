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
from tests.esim.suppliers.airalo.books import Books, answered, listed
from tests.esim.suppliers.airalo.rules import Invalid, refuse_bad_order, refuse_unknown_query
from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble, refusal, route, run

CLIENT_ID, CLIENT_SECRET = "stub-client", "stub-client-secret"
MOST_A_PAGE = 2
SUCCESS = {"message": "success"}
ORDER = ("POST", "/orders")


class AiraloStub(SupplierStub):
    prefix = "/v2"

    def __init__(self, *, port: int = 0, client_id: str = CLIENT_ID) -> None:
        self.client_id = client_id
        self.books = Books()
        self.percent = 100
        self.discounted = False
        self.sold_out = False
        self.webhook_urls: dict[str, str] = {}
        super().__init__(port=port)

    def authorised(self, heard: Heard) -> bool:
        bearer = heard.headers.get("authorization", "").removeprefix("Bearer ")
        return heard.path == "/token" or bearer in self.books.tokens

    def unauthorised(self) -> Answer:
        return 401, {"data": [], "meta": {"message": "This action is unauthorized."}}

    def unknown(self) -> Answer:
        return 404, {"data": [], "meta": {"message": "The requested resource could not be found."}}

    def _answer(self, heard: Heard) -> Answer:
        try:
            status, body, *headers = super()._answer(heard)
        except Invalid as invalid:
            return 422, {"data": invalid.fields, "meta": {"message": "the parameter is invalid"}}
        return (status, plain(body), *headers)

    # --- what tests ask of it -----------------------------------------------------------------------------------

    def store(self) -> dict[str, int]:
        """How often each of our references was ordered."""
        with self.lock:
            return dict(Counter(order["description"] for order in self.books.orders))

    def iccid_of(self, reference: str) -> str:
        (order,) = [order for order in self.books.orders if order["description"] == reference]
        return str(order["sims"][0]["iccid"])

    def refund(self, reference: str) -> None:
        for order in self.books.orders:
            if order["description"] == reference:
                order["status"] = {"name": "Refunded", "slug": "refunded"}

    # --- what it serves -----------------------------------------------------------------------------------------

    @route("POST", "/token")
    def token(self, heard: Heard) -> Answer:
        if not heard.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            raise Invalid(client_id="The client_id field is required.")
        wanted = {
            "client_id": self.client_id,
            "client_secret": CLIENT_SECRET,
            "grant_type": "client_credentials",
        }
        if heard.form != wanted:
            return 401, {"data": [], "meta": {"message": "Client authentication failed"}}
        token = self.books.new_token()
        if token is None:
            return 429, {"meta": {"message": "Too Many Attempts."}}, {"Retry-After": "60"}
        data = {"token_type": "Bearer", "expires_in": self.books.lifetime, "access_token": token}
        return 200, {"data": data, "meta": SUCCESS}

    @route("GET", "/packages")
    def packages(self, heard: Heard) -> Answer:
        """From the second page on, `data` is an object whose keys are its indexes."""
        refuse_unknown_query(heard.query, {"filter[type]", "limit", "page", "include"})
        kind = heard.query.get("filter[type]", "")
        if kind not in ("local", "global"):
            raise Invalid(**{"filter.type": "The selected filter.type is invalid."})
        places = self.shelf(kind)
        size = min(int(heard.query.get("limit", MOST_A_PAGE)), MOST_A_PAGE)
        page, last = int(heard.query.get("page", 1)), -(-len(places) // size)
        first = (page - 1) * size
        here = {str(at): place for at, place in enumerate(places) if first <= at < first + size}
        meta = {**SUCCESS, "current_page": page, "last_page": last, "per_page": str(size)}
        model = "discount_pricing" if self.discounted else "net_pricing"
        return 200, {
            "pricing": {"model": model, "discount_percentage": 20 if self.discounted else 0},
            "data": here if page > 1 else list(here.values()),
            "meta": {**meta, "total": len(places)},
        }

    @route(*ORDER)
    def order(self, heard: Heard) -> Answer:
        """Buys, whatever was bought under this description before."""
        as_json = heard.headers.get("content-type", "").startswith("application/json")
        body = heard.json if as_json else heard.form
        refuse_bad_order(body)
        name = body["package_id"]
        if name in goods.SANDBOX:
            return business_refusal(goods.SANDBOX[name])
        on_sale = [*self.shelf("local"), *self.shelf("global")]
        package = next((p for p in goods.packages_on(on_sale) if p["id"] == name), None)
        if package is None or self.sold_out:
            return business_refusal(34)
        return 200, {"data": answered(self.books.buy(package, body, self.discounted)), "meta": SUCCESS}

    @route("GET", "/orders")
    def orders(self, heard: Heard) -> Answer:
        """The filter finds what contains the text."""
        refuse_unknown_query(heard.query, {"filter[description]", "include", "limit", "page"})
        found = self.books.like(heard.query.get("filter[description]", ""))
        shown = [listed(order, included(heard)) for order in found[: int(heard.query.get("limit", 100))]]
        return 200, {"data": shown, "meta": {**SUCCESS, "last_page": 1, "total": len(shown)}}

    @route("GET", "/orders/{number}")
    def read(self, heard: Heard, number: str) -> Answer:
        order = self.books.order(number)
        return self.found(order and listed(order, included(heard)))

    @route("GET", "/sims/{iccid}/usage")
    def usage(self, heard: Heard, iccid: str) -> Answer:
        return self.found(self.books.usage_of(iccid))

    @route("POST", "/notifications/opt-in")
    def opt_in(self, heard: Heard) -> Answer:
        self.webhook_urls[heard.json["type"]] = heard.json["webhook_url"]
        return 200, {"data": heard.json, "meta": SUCCESS}

    def found(self, data: Any) -> Answer:
        return self.unknown() if data is None else (200, {"data": data, "meta": SUCCESS})

    def shelf(self, kind: str) -> list[dict[str, Any]]:
        return goods.shelf(kind, percent=self.percent, discounted=self.discounted)


def included(heard: Heard) -> set[str]:
    return set(heard.query.get("include", "").split(","))


def business_refusal(code: int) -> Answer:
    return 422, {"code": code, "reason": f"stub: refused with {code}"}


def refused_with(code: int, *, nested: bool = False, status: int = 422, times: int = 1) -> Trouble:
    """A refusal by one of their codes; `nested` puts it into `data`, which their documents leave open."""
    body = {"code": code, "reason": f"stub: refused with {code}"}
    return refusal(status, {"data": body} if nested else body, times=times)


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
