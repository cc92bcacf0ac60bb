"""Duffel's API v2 in its own words: paths, the wrapping in `data`, and how long each call may take."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from apps.flights.suppliers.duffel.errors import NAME, DuffelCall, data_of
from apps.suppliers.http import Limits, Reply, SupplierHTTP

READ = Limits(read=30)
SEARCH = Limits(read=25)
BOOKING = Limits(read=130)  # airlines take up to two minutes
SUPPLIER_TIMEOUT_MS = 15_000
MOST_ORDERS = 200
TEST_TOKEN = "duffel_test_"  # noqa: S105  (how one begins; their test and live worlds share one address)

Data = dict[str, Any]


class DuffelClient:
    """Calls that answer what Duffel wraps in `data`. They raise Refusal, and what SupplierHTTP raises."""

    def __init__(self, *, access_token: str, base_url: str) -> None:
        self.live = not access_token.startswith(TEST_TOKEN)
        self._http = SupplierHTTP(
            NAME,
            base_url=base_url,
            headers={
                "Authorization": f"Bearer {access_token}",
                "Duffel-Version": "v2",
                "Accept": "application/json",
            },
        )

    # --- Reads, and what binds nobody ---------------------------------------------------------------------------

    def search(self, request: Data) -> Data:
        query = {"return_offers": "true", "supplier_timeout": str(SUPPLIER_TIMEOUT_MS)}
        body = {"data": request}
        reply = self._http.read("POST", "/air/offer_requests", query=query, json=body, limits=SEARCH)
        return _object(reply, DuffelCall.READ)

    def offer(self, offer_id: str) -> Data:
        return _object(self._http.read("GET", f"/air/offers/{_id(offer_id)}", limits=READ), DuffelCall.OFFER)

    def order(self, order_id: str) -> Data:
        return self._read(f"/air/orders/{_id(order_id)}")

    def orders_of_offer(self, offer_id: str) -> list[Data]:
        query = {"offer_id": offer_id, "limit": str(MOST_ORDERS)}
        reply = self._http.read("GET", "/air/orders", query=query, limits=READ)
        orders: list[Data] = data_of(reply, DuffelCall.READ)
        return orders

    def order_change(self, change_id: str) -> Data:
        return self._read(f"/air/order_changes/{_id(change_id)}")

    def cancellation(self, cancellation_id: str) -> Data:
        return self._read(f"/air/order_cancellations/{_id(cancellation_id)}")

    def airline_changes(self, order_id: str) -> list[Data]:
        query = {"order_id": order_id, "limit": str(MOST_ORDERS)}
        reply = self._http.read("GET", "/air/airline_initiated_changes", query=query, limits=READ)
        changes: list[Data] = data_of(reply, DuffelCall.READ)
        return changes

    def airlines(self) -> None:
        """The cheapest question that only a valid token is answered."""
        data_of(self._http.read("GET", "/air/airlines", query={"limit": "1"}, limits=READ), DuffelCall.READ)

    def change_offers(self, request: Data) -> Data:
        return self._quote("/air/order_change_requests", request, DuffelCall.READ)

    def take_up_change(self, change_offer_id: str) -> Data:
        return self._quote(
            "/air/order_changes", {"selected_order_change_offer": change_offer_id}, DuffelCall.CHANGE_OFFER
        )

    def quote_cancellation(self, order_id: str) -> Data:
        return self._quote("/air/order_cancellations", {"order_id": order_id}, DuffelCall.READ)

    # --- Writes: once each, and never again ---------------------------------------------------------------------

    def create_order(self, order: Data, *, client_ref: str) -> tuple[int, Data]:
        """The status with the order: 200, 201 and 202 mean different things."""
        reply = self._write("/air/orders", order, client_ref)
        return reply.status, _object(reply, DuffelCall.ORDER)

    def confirm_change(self, change_id: str, payment: Data | None, *, client_ref: str) -> Data:
        confirmed = {"payment": payment} if payment else {}
        reply = self._write(f"/air/order_changes/{_id(change_id)}/actions/confirm", confirmed, client_ref)
        return _object(reply, DuffelCall.CONFIRM)

    def confirm_cancellation(self, cancellation_id: str, *, client_ref: str) -> Data:
        path = f"/air/order_cancellations/{_id(cancellation_id)}/actions/confirm"
        return _object(self._write(path, {}, client_ref), DuffelCall.CONFIRM)

    def accept_airline_change(self, change_id: str, *, client_ref: str) -> Data:
        path = f"/air/airline_initiated_changes/{_id(change_id)}/actions/accept"
        return _object(self._write(path, {}, client_ref), DuffelCall.CONFIRM)

    # --- Inside -------------------------------------------------------------------------------------------------

    def _read(self, path: str) -> Data:
        return _object(self._http.read("GET", path, limits=READ), DuffelCall.READ)

    def _quote(self, path: str, data: Data, call: DuffelCall) -> Data:
        """Creates something that is of no consequence until it is confirmed; still not sent twice."""
        return _object(self._http.write("POST", path, json={"data": data}, limits=READ), call)

    def _write(self, path: str, data: Data, client_ref: str) -> Reply:
        return self._http.write(
            "POST",
            path,
            json={"data": data},
            headers={"x-client-correlation-id": client_ref},
            limits=BOOKING,
        )


def _object(reply: Reply, call: DuffelCall) -> Data:
    data = data_of(reply, call)
    if not isinstance(data, Mapping):
        raise TypeError("an object was documented")
    return dict(data)


def _id(text: str) -> str:
    """In a path: whatever was stored as an id stays one part of it."""
    return quote(text, safe="")
