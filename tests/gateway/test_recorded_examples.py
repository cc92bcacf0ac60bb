"""The recorded examples as they are read: each call of its operation, in the order of the journey."""

from apps.gateway.openapi.examples import FILES, Request, recorded, recorded_events


def test_an_address_has_its_parameters_and_a_query_only_where_there_is_one():
    plain = Request(method="GET", path="/v1/boats/{id}", path_parameters={"id": "boat_1"})
    asked = Request(method="GET", path="/v1/boats", query={"limit": "2", "type": "a b"})

    assert (plain.url, asked.url) == ("/v1/boats/boat_1", "/v1/boats?limit=2&type=a+b")


def test_calls_come_in_the_order_of_the_journey_under_their_operations():
    calls = recorded()

    assert [call.at for call in calls] == sorted(call.at for call in calls)
    assert {call.operation_id for call in calls} == {path.stem for path in FILES.glob("*.json")}
    assert {call.request.method for call in calls} >= {"GET", "POST"}
    assert {call.answer.status for call in calls} >= {200, 201}


def test_deliveries_come_in_their_order_under_their_types():
    events = recorded_events()

    assert events
    assert [(event.at, event.payload["id"]) for event in events] == sorted(
        (event.at, event.payload["id"]) for event in events
    )
    assert all(event.type == event.payload["type"] for event in events)
