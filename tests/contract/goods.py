"""One of everything a partner can own, made through the API: what requests with real ids and handles are built from."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.ids import new_id
from apps.esim.services.sync import sync_plans
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.suppliers.simulation import DatabaseStore
from apps.webhooks.models import DeliveryStatus, Endpoint
from tests.contract.attempts import VALID_SEARCHES
from tests.factories.webhooks import DeliveryFactory
from tests.support.api import Api, Reply
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop
from tests.support.operations import UNKNOWN_ID, operation_of

GUESTS = [{"firstName": name, "lastName": "Lovelace", "type": "adult"} for name in ("Ada", "Anne")]
LEAD = {"firstName": "Ada", "lastName": "Lovelace", **CONTACT}
ENDPOINT = {"url": "https://partner.example/hooks", "events": ["booking.confirmed"]}


@dataclass
class Goods:
    """Made when first asked for, by `api`'s partner."""

    api: Api

    def call(self, operation_id: str, *, by: Api | None = None, **headers: str) -> Reply:
        """The operation as it should be called, with our own ids and handles; `by` another partner."""
        path, body = self.request(operation_id)
        operation = operation_of(operation_id)
        if operation.method == "POST":
            headers.setdefault("Idempotency_Key", new_id("idem"))
        return (by or self.api).send(operation.method, path, body, **headers)

    def request(self, operation_id: str) -> tuple[str, dict[str, Any] | None]:
        """Path and body of a call that succeeds."""
        operation = operation_of(operation_id)
        body = self.body(operation_id)
        if operation_id == "acceptFlightScheduleChange":
            moved = self.moved_order
            return operation.url_of(moved["id"], moved["scheduleChanges"][0]["changeId"]), body
        if operation_id == "getTripDocument":
            assert self.esim_of_trip
        if operation_id == "payFlightOrder":
            return operation.url_of(self.held_order["id"]), body
        return operation.url_of(self.id_for(operation.path)), body

    def id_for(self, path: str) -> str:
        """What belongs in the place of the path's parameter."""
        if "{" not in path:
            return ""
        place = path.partition("/{")[0]
        return str(
            {
                "/v1/hotels/searches": lambda: self.hotel_search["id"],
                "/v1/hotels/rates": lambda: self.rate_id,
                "/v1/hotels/properties": lambda: self.hotel_search["hotels"][0]["hotelId"],
                "/v1/hotels/bookings": lambda: self.hotel_booking["id"],
                "/v1/flights/searches": lambda: self.flight_search["id"],
                "/v1/flights/offers": lambda: self.offer["offerId"],
                "/v1/flights/orders": lambda: self.flight_order["id"],
                "/v1/transfers/orders": lambda: self.transfer_order["id"],
                "/v1/esim/plans": lambda: self.plan_id,
                "/v1/esim/orders": lambda: self.esim_order["id"],
                "/v1/account/statements": lambda: f"{clock.now():%Y-%m}",
                "/v1/webhooks/endpoints": lambda: self.endpoint["id"],
                "/v1/webhooks/deliveries": lambda: self.delivery_id,
            }[place]()
        )

    def body(self, operation_id: str) -> dict[str, Any] | None:
        if operation_id in VALID_SEARCHES:
            return VALID_SEARCHES[operation_id]
        bodies = {
            "createHotelBooking": lambda: {"rateId": self.rate_id, "guests": GUESTS, "contact": CONTACT},
            "requestEsimRefund": lambda: {"reason": "trip_cancelled"},
            "correctHotelGuest": lambda: {"guest": 0, "firstName": "Ada", "lastName": "Byron"},
            "findHotelChangeOptions": self.stay_options_body,
            "changeHotelBooking": lambda: {"changeId": self.stay_change_id},
            "createFlightOrder": lambda: {
                "offerId": self.offer["offerId"],
                "passengers": [PASSENGER],
                "contact": CONTACT,
            },
            "createTransferOrder": lambda: {"quoteId": self.quote_id, "leadPassenger": LEAD},
            "createEsimOrder": lambda: {"planId": self.plan_id},
            "createEsimTopUp": lambda: {"planId": self.top_up_plan_id},
            "listFlightChangeOptions": self.change_options_body,
            "changeFlightOrder": lambda: {"changeId": self.change_id},
            "addFlightOrderServices": lambda: {"services": [{"serviceId": self.bag_id}]},
            "createWebhookEndpoint": lambda: ENDPOINT,
            "updateWebhookEndpoint": lambda: {"description": "changed"},
        }
        made = bodies.get(operation_id)
        return made() if made else None

    def make(self, operation_id: str) -> dict[str, Any]:
        reply = self.call(operation_id)
        assert reply.status in {200, 201, 202}, reply.body
        return dict(reply.body)

    @cached_property
    def hotel_search(self) -> dict[str, Any]:
        return self.make("searchHotels")

    @cached_property
    def rate_id(self) -> str:
        rates = self.hotel_search["hotels"][0]["rates"]
        return str(next(rate["rateId"] for rate in rates if rate["refundable"]))

    @cached_property
    def esim_of_trip(self) -> dict[str, Any]:
        """An order of the trip that `Operation.url` names."""
        reply = self.api.post("/v1/esim/orders", {"planId": self.plan_id, "tripReference": UNKNOWN_ID})
        assert reply.status == 201, reply.body
        return dict(reply.body)

    @cached_property
    def hotel_booking(self) -> dict[str, Any]:
        return self.make("createHotelBooking")

    @cached_property
    def flight_search(self) -> dict[str, Any]:
        return self.make("searchFlights")

    @cached_property
    def offer(self) -> dict[str, Any]:
        return FlightShop(self.api).offer()

    @cached_property
    def flight_order(self) -> dict[str, Any]:
        return self.make("createFlightOrder")

    @cached_property
    def held_order(self) -> dict[str, Any]:
        """One on hold."""
        shop = FlightShop(self.api)
        offer = next(offer for offer in shop.search() if offer["holdable"])
        return dict(shop.order(offer, hold=True).body)

    @cached_property
    def moved_order(self) -> dict[str, Any]:
        """One that its airline has moved; of a live key nobody can ask that, so the simulator is told itself."""
        order = self.flight_order
        FlightSimulator(DatabaseStore("flights")).move(order["supplier"]["reference"])
        Booking.objects.filter(pk=order["id"]).update(next_news_at=clock.now())
        poll_suppliers()
        return dict(self.api.get(f"/v1/flights/orders/{order['id']}").body)

    def change_options_body(self) -> dict[str, Any]:
        leg = self.flight_order["slices"][0]
        added = {"origin": leg["origin"], "destination": leg["destination"]}
        later = (datetime.fromisoformat(leg["departureAt"]) + timedelta(days=7)).date().isoformat()
        return {"removeSliceId": leg["sliceId"], "add": {**added, "departureDate": later}}

    def stay_options_body(self) -> dict[str, Any]:
        later = date.fromisoformat(self.hotel_booking["checkOut"]) + timedelta(days=1)
        return {"checkOut": later.isoformat()}

    @cached_property
    def stay_change_id(self) -> str:
        return str(self.make("findHotelChangeOptions")["options"][0]["changeId"])

    @cached_property
    def change_id(self) -> str:
        return str(self.make("listFlightChangeOptions")["options"][0]["changeId"])

    @cached_property
    def bag_id(self) -> str:
        return str(self.make("listFlightOrderServices")["services"][0]["serviceId"])

    @cached_property
    def quote_id(self) -> str:
        return str(self.make("searchTransfers")["offers"][0]["quoteId"])

    @cached_property
    def transfer_order(self) -> dict[str, Any]:
        return self.make("createTransferOrder")

    @cached_property
    def plan_id(self) -> str:
        plans = self.api.get("/v1/esim/plans").body["data"]
        if not plans:
            sync_plans()
            plans = self.api.get("/v1/esim/plans").body["data"]
        return str(plans[0]["id"])

    @cached_property
    def esim_order(self) -> dict[str, Any]:
        return self.make("createEsimOrder")

    @cached_property
    def top_up_plan_id(self) -> str:
        return str(self.make("listEsimTopUpPlans")["plans"][0]["id"])

    @cached_property
    def endpoint(self) -> dict[str, Any]:
        return self.make("createWebhookEndpoint")

    @cached_property
    def delivery_id(self) -> str:
        """Of a delivery that is finished: one that is not cannot be resent."""
        endpoint = Endpoint.objects.get(id=self.endpoint["id"])
        delivery = DeliveryFactory(
            endpoint=endpoint, status=DeliveryStatus.DELIVERED, completed_at=clock.now(), next_attempt_at=None
        )
        return str(delivery.id)
