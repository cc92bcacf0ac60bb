from apps.common.ids import encode, handle, parse_handle


def test_every_place_of_a_handle_is_read_again() -> None:
    row_id = f"hsr_{encode(0, 26)}"
    handles = [handle("rate", row_id, place) for place in range(1024)]
    assert [parse_handle(one, "rate", "hsr") for one in handles] == [(row_id, place) for place in range(1024)]
