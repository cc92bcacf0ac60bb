"""Airlines that change orders by themselves: listed with the slices before and after, and accepted once.

`shown_at_once`: whether the order's own slices have a change before it is accepted; their documentation does not say.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.flights.suppliers.duffel import demands, paths
from tests.flights.suppliers.duffel.altering import Altering
from tests.flights.suppliers.duffel.wire import Data, Refused, stamp
from tests.support.supplier_stub import Answer, Heard, route

ANSWERED = "airline_initiated_change_already_actioned"  # our invention: theirs is not documented
NOT_OFFERED = "airline_initiated_change_not_acceptable"  # this one too
TAKEN = {"accepted", "cancelled", "changed"}


class AirlineMoves(Altering):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.airline_changes: dict[str, Data] = {}
        self.shown_at_once = True

    def change_by_airline(
        self, order_id: str, *, minutes: int = 95, place: int = 0, actions: tuple[str, ...] | None = None
    ) -> Data:
        """One leg leaves later, under another number. Its slices and segments have new ids, as theirs may have."""
        with self.lock:
            order = self.orders[order_id]
            removed = self._itinerary(order)[place]
            added = {
                **removed,
                "id": self._id("sli"),
                "segments": list(map(later(minutes), removed["segments"])),
            }
            now = stamp(datetime.now(UTC))
            change: Data = {
                "id": self._id("aic"),
                "order_id": order_id,
                "created_at": now,
                "updated_at": now,
                "removed": [removed],
                "added": [added],
                "action_taken": None,
                "action_taken_at": None,
                "available_actions": list(actions if actions is not None else ("accept", "cancel", "update")),
                "travel_agent_ticket": None,
            }
            self.airline_changes[change["id"]] = change
            if self.shown_at_once:
                self._bring(order, change)
            return change

    def announced(self, change: Data) -> Data:
        """What their webhook about it has as its object."""
        return {name: change[name] for name in ("id", "order_id", "created_at", "available_actions")}

    def _itinerary(self, order: Data) -> list[Data]:
        """What is flown, whether the order shows it or not."""
        slices = list(order["slices"])
        for change in self._changes_of(order["id"]):
            slices = exchanged(slices, change)
        return slices

    def _changes_of(self, order_id: str) -> list[Data]:
        return [change for change in self.airline_changes.values() if change["order_id"] == order_id]

    def _bring(self, order: Data, change: Data) -> None:
        order["slices"] = exchanged(order["slices"], change)

    def _order_now(self, order: Data) -> Data:
        return {**super()._order_now(order), "airline_initiated_changes": self._changes_of(order["id"])}

    @route("GET", paths.AIRLINE_CHANGES)
    def list_airline_changes(self, heard: Heard) -> Answer:
        demands.only(heard.query, set(), {"order_id", "limit", "after", "before"})
        found = list(self.airline_changes.values())
        if "order_id" in heard.query:
            found = self._changes_of(heard.query["order_id"])
        return 200, {"data": found, "meta": {"after": None, "before": None}}

    @route("POST", paths.ACCEPT_AIRLINE_CHANGE)
    def accept_airline_change(self, heard: Heard, change_id: str) -> Answer:
        demands.data_of(heard.json, set())
        change = self._open(change_id)
        if change is not self._changes_of(change["order_id"])[-1]:
            raise Refused("stale_airline_initiated_change_accept")
        if "accept" not in change["available_actions"]:
            raise Refused(NOT_OFFERED)
        order = self._standing(change["order_id"])
        change |= {"action_taken": "accepted", "action_taken_at": stamp(datetime.now(UTC))}
        order["slices"] = self._itinerary(order)
        return 200, {"data": change}

    @route("PATCH", paths.AIRLINE_CHANGE)
    def update_airline_change(self, heard: Heard, change_id: str) -> Answer:
        """What was done about it elsewhere."""
        data = demands.data_of(heard.json, {"action_taken"})
        demands.one_of(data["action_taken"], TAKEN, "action_taken")
        change = self._open(change_id)
        change |= {"action_taken": data["action_taken"], "action_taken_at": stamp(datetime.now(UTC))}
        return 200, {"data": change}

    def _open(self, change_id: str) -> Data:
        change = self._known(self.airline_changes, change_id)
        if change["action_taken"] is not None:
            raise Refused(ANSWERED)
        return change


def exchanged(slices: list[Data], change: Data) -> list[Data]:
    (removed,), (added,) = change["removed"], change["added"]
    return [added if one["id"] == removed["id"] else one for one in slices]


def later(minutes: int) -> Any:
    def move(segment: Data) -> Data:
        def moved(text: str) -> str:
            return (datetime.fromisoformat(text) + timedelta(minutes=minutes)).isoformat()

        return {
            **segment,
            "id": f"{segment['id']}_later",
            "departing_at": moved(segment["departing_at"]),
            "arriving_at": moved(segment["arriving_at"]),
            "marketing_carrier_flight_number": str(int(segment["marketing_carrier_flight_number"]) + 1),
        }

    return move
