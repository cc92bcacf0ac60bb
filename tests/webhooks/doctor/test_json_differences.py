import pytest

from apps.webhooks.doctor.json_differences import first_difference, kinds_of_difference, parsed, same


def nested(depth: int, begin: bytes = b"[", end: bytes = b"]", inmost: bytes = b"") -> bytes:
    return begin * depth + inmost + end * depth


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"1.50", b"1.5"),
        (b"[1, 2]", b"[1,2]"),
        (b'{"a": [1, {"b": null}], "c": true}', b'{"c":true,"a":[1,{"b":null}]}'),
        (b"false", b"false"),
    ],
)
def test_values_are_the_same_however_they_are_written(one: bytes, other: bytes) -> None:
    assert same(parsed(one), parsed(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"true", b"1"),
        (b"true", b"false"),
        (b"false", b"0"),
        (b'"1"', b"1"),
        (b"{}", b"[]"),
        (b'{"a":1}', b"[1]"),
        (b'{"a":1}', b'{"a":1,"b":2}'),
        (b'{"a":1}', b'{"a":2}'),
        (b'{"a":true}', b'{"a":1}'),
        (b"[true]", b"[1]"),
        (b"[1]", b"[1,2]"),
        (b"[1,2]", b"[2,1]"),
        (b"0.1", b"0.10000000000000000001"),
    ],
)
def test_other_values_are_not_the_same(one: bytes, other: bytes) -> None:
    assert not same(parsed(one), parsed(other))
    assert not same(parsed(other), parsed(one))


@pytest.mark.parametrize(("begin", "end", "inmost"), [(b"[", b"]", b""), (b'{"a":', b"}", b"1")])
def test_what_is_nested_deeper_than_anything_we_send_is_no_value(
    begin: bytes, end: bytes, inmost: bytes
) -> None:
    assert parsed(nested(64, begin, end, inmost)) is not None
    assert parsed(nested(65, begin, end, inmost)) is None
    assert parsed(b"x") is None


@pytest.mark.parametrize(
    ("body", "original", "where"),
    [
        (b'{"a":1}', b'{"a":1,"b":2}', "b is missing"),
        (b'{"a":1,"b":2}', b'{"a":1}', "b is added"),
        (b'{"a":{"b":[1,2]}}', b'{"a":{"b":[1,3]}}', "a.b.1 differs"),
        (b'{"a":{"b":1}}', b'{"a":{}}', "a.b is added"),
        (b'[1,{"b":2}]', b'[1,{"b":3}]', "1.b differs"),
        (b"[1]", b"[1,2]", "1 differs"),
        (b'{"a":{"b":1}}', b'{"a":2}', "a differs"),
        (b'{"a":2}', b'{"a":{"b":1}}', "a differs"),
        (b'{"a":[1]}', b'{"a":2}', "a differs"),
        (b'{"a":2}', b'{"a":[1]}', "a differs"),
        (b"1", b"2", "the whole differs"),
    ],
)
def test_the_first_value_that_differs_is_named_by_its_path(body: bytes, original: bytes, where: str) -> None:
    assert first_difference(parsed(body), parsed(original)) == where


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (b'{"a": "\\u001f/", "b": 10}', ["spacing"]),
        (b'{"b":10,"a":"\\u001f/"}', ["key order"]),
        (b'{"a":"\\u001f\\/","b":10}', ["escaped unicode", "escaped slashes"]),
        (b'{"a":"\\u001f/","b":1e1}', ["number form"]),
        (b' {"a":"\\u001f/","b":10}', ["byte order mark or space at the start"]),
        (b'\xef\xbb\xbf{"a":"\\u001f/","b":10}', ["byte order mark or space at the start"]),
        (b'{"a":"\\u001f/","b":10}\n', ["trailing newline"]),
    ],
)
def test_only_what_differs_is_named(body: bytes, kinds: list[str]) -> None:
    assert kinds_of_difference(body, b'{"a":"\\u001f/","b":10}') == kinds


def test_what_is_written_alike_in_both_is_not_named() -> None:
    assert kinds_of_difference(b'{"a":"\\u001f","b":"\\/"}', b'{"a":"\\u001f","b":"/"}') == [
        "escaped slashes"
    ]
    assert kinds_of_difference(b'{"a":"\\/","b":"\\u0061"}', b'{"a":"\\/","b":"a"}') == ["escaped unicode"]


def test_a_difference_of_no_known_kind_has_a_word_too() -> None:
    """The members of two objects changed places with each other."""
    body = b'[{"a":1,"b":1},{"b":1,"a":1}]'
    original = b'[{"b":1,"a":1},{"a":1,"b":1}]'
    assert kinds_of_difference(body, original) == ["another way of writing it"]
