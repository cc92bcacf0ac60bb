import json
from contextlib import suppress
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.common.errors import InvalidRequest, UnsupportedMediaType
from apps.gateway import parsers
from apps.gateway.parsers import parse, refuse_other_types


def nested(levels: int, opening: str = '{"a":', closing: str = "}") -> bytes:
    """An object whose innermost value lies `levels` deep."""
    return (opening * levels + "1" + closing * levels).encode()


def names(count: int) -> str:
    return ",".join(f'"n{number}":1' for number in range(count))


def items(count: int) -> str:
    return f"[{','.join(['1'] * count)}]"


def lists(count: int, length: int, *, spare: int = 0) -> bytes:
    """An object of `count * (length + 1) + 1 + spare` values."""
    more = "".join(f',"s{number}":1' for number in range(spare))
    return f'{{"a":[{",".join([items(length)] * count)}]{more}}}'.encode()


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"", {}),
        (b" \r\n\t ", {}),
        (b"{}", {}),
        (b'{"a":1,"b":[true,null,"x",1.5]}', {"a": 1, "b": [True, None, "x", 1.5]}),
        ('{"a":"é 日本 🛫"}'.encode(), {"a": "é 日本 🛫"}),
        (rb'{"a":"\ud83d\udeeb"}', {"a": "🛫"}),
        (b'{"a":{"b":1},"b":1}', {"a": {"b": 1}, "b": 1}),
        (b'{"a":-0,"b":1e3}', {"a": 0, "b": 1000.0}),
        (b'{"a":' + b"9" * 64 + b"}", {"a": int("9" * 64)}),
        (b'{"a":0.' + b"5" * 62 + b"}", {"a": 5 / 9}),
    ],
)
def test_objects_are_read(raw: bytes, value: object):
    assert parse(raw) == value


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b'{"a":1,"a":1}', "names a property twice"),
        (rb'{"a":1,"\u0061":2}', "names a property twice"),
        (rb'{"a":"x\u0000y"}', "contains a NUL character"),
        (rb'{"a":["x",{"b":"\u0000"}]}', "contains a NUL character"),
        (rb'{"a":"\ud800"}', "contains a lone surrogate"),
        (rb'{"a":[[["\udc00"]]]}', "contains a lone surrogate"),
        (b'{"a":NaN}', "is not JSON: NaN is not a JSON number"),
        (b'{"a":Infinity}', "is not JSON: Infinity is not a JSON number"),
        (b'{"a":1e309}', "is not JSON: a number is out of range"),
        (b'{"a":' + b"9" * 65 + b"}", "is not JSON: a number is out of range"),
        (b'{"a":0.' + b"1" * 200_000 + b"}", "is not JSON: a number is out of range"),
        ("{}".encode("utf-8-sig"), "must not begin with a byte-order mark"),
        (b"[]", "must be a JSON object"),
        (b"null", "must be a JSON object"),
        ('{"a":"é"}'.encode("latin-1"), "is not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "is not UTF-8"),
        (nested(33), "is nested deeper than 32 levels"),
        (nested(100_000), "has more than 10000 values"),
        (b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", "is nested deeper than 32 levels"),
        (b"[" * 130_000, "has more than 10000 values"),
        (f"{{{names(1_001)}}}".encode(), "has more than 1000 names"),
        (b"{" + b",".join([b'"a":1'] * 1_001) + b"}", "has more than 1000 names"),
        (f'{{"a":{{{names(500)}}},"b":{{{names(499)}}}}}'.encode(), "has more than 1000 names"),
        (f'{{"a":{items(1_001)}}}'.encode(), "has a list of more than 1000 items"),
        (f'{{"a":[{{"b":[{items(1_001)}]}}]}}'.encode(), "has a list of more than 1000 items"),
        (f'{{"a":{items(120_000)}}}'.encode(), "has more than 10000 values"),
        (b'{"a":[' + b"[]," * 80_000 + b"[]]}", "has more than 10000 values"),
        (lists(10, 1_000, spare=1), "has more than 10000 values"),
        (lists(1_000, 86), "has more than 10000 values"),
    ],
)
def test_traps_are_refused_for_what_they_are(raw: bytes, what: str):
    with pytest.raises(InvalidRequest) as refusal:
        parse(raw)

    assert refusal.value.message == f"The request body {what}."
    assert refusal.value.extras == {"details": [{"field": "", "message": f"The body {what}."}]}
    assert refusal.value.own_texts == {f"The request body {what}.", f"The body {what}."}


@pytest.mark.parametrize("raw", [
    b'{"a":1', b"{'a':1}", b'{"a":1,}', b'{"a":01}', b'{"a":+1}', b'{"a":.5}', b'{"a":0x10}', b'{"a":1_0}', b"{a:1}",
    b'{"a":1}{}', b'{"a":"line\nbreak"}', b'{"a":"\x00"}', b'// c\n{"a":1}', '{"a":５}'.encode(), "{}".encode("utf-16"),
])  # fmt: skip
def test_what_merely_resembles_json_is_refused(raw: bytes):
    with pytest.raises(InvalidRequest, match=r"^The request body is not (JSON|UTF-8)"):
        parse(raw)


def test_what_is_just_within_the_limits_is_read():
    assert parse(nested(32))
    assert len(parse(f"{{{names(1_000)}}}".encode())) == 1_000
    empty = json.dumps({"a": [*[[[]] * 1_000] * 9, [[]] * 989]}).encode()  # 10,000 values, all of them lists
    assert len(parse(empty)["a"]) == 10  # type: ignore[arg-type]
    assert parse(lists(9, 1_000, spare=990)) == {"a": [[1] * 1_000] * 9, **{f"s{n}": 1 for n in range(990)}}


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a":[' + b"[]," * 80_000 + b"[]]}",
        b'{"a":[' + b"1," * 120_000 + b"1]}",
        b"[" * 200_000,
        b'{"a":[' + b'"a", ' * 50_000 + b'"a"]}',
        f"{{{names(30_000)}}}".encode(),
    ],
)
def test_what_is_far_too_much_is_refused_before_a_value_of_it_is_made(
    raw: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(parsers, "DECODER", SimpleNamespace(decode=pytest.fail))

    with pytest.raises(InvalidRequest, match="has more than 10000 values"):
        parse(raw)


@pytest.mark.parametrize(
    "text", ["," * 200_000, "[{" * 50_000, r"\",[" * 40_000, "\\\\" * 20_000 + "," * 20_000]
)
def test_what_stands_in_a_text_is_no_value(text: str):
    assert parse(f'{{"a":"{text}","b":["{text[:10]}"]}}'.encode()) == {
        "a": json.loads(f'"{text}"'),
        "b": [json.loads(f'"{text[:10]}"')],
    }


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**60), 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda below: st.lists(below) | st.dictionaries(st.text(alphabet="abcé"), below),
    max_leaves=15,
)


@settings(max_examples=50)
@given(st.dictionaries(st.text(alphabet="abcé"), plain))
def test_whatever_json_can_say_is_read_as_it_was_written(value: dict[str, object]):
    assert parse(json.dumps(value).encode()) == value
    assert parse(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_refused(raw: bytes):
    with suppress(InvalidRequest):
        assert isinstance(parse(raw), dict)


def headers(**named: str) -> dict[str, str]:
    """As `request.META` has them."""
    return {name.upper(): value for name, value in named.items()}


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json; charset=utf8",
        "application/json; version=1",
    ],
)
def test_json_in_utf_8_is_accepted(content_type: str):
    refuse_other_types(headers(content_type=content_type))
    refuse_other_types(headers(content_type=content_type, http_content_encoding="identity"))


@pytest.mark.parametrize(
    ("content_type", "named"),
    [
        ("", "nothing known"),
        ("text/plain", "text/plain"),
        ("Text/CSV; header=present", "text/csv"),
        ("é", "nothing known"),
    ],
)
def test_other_types_are_refused_and_the_log_names_those_that_are_known(content_type: str, named: str):
    with pytest.raises(UnsupportedMediaType) as refusal:
        refuse_other_types(headers(content_type=content_type))
    assert refusal.value.why == f"The Content-Type is {named}; it must be application/json."


@pytest.mark.parametrize(
    ("method", "header"), [("POST", "Accept"), ("DELETE", "Accept"), ("PATCH", "Accept-Patch")]
)
@pytest.mark.parametrize("content_type", ["text/plain", "application/json; charset=latin-1", None])
def test_the_type_that_is_wanted_stands_in_the_header_of_the_method(
    method: str, header: str, content_type: str | None
):
    sent = {"REQUEST_METHOD": method} | ({} if content_type is None else {"CONTENT_TYPE": content_type})
    with pytest.raises(UnsupportedMediaType) as refusal:
        refuse_other_types(sent)
    assert refusal.value.headers == {header: "application/json"}


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "gzip, identity"])
def test_compressed_bodies_are_refused(encoding: str):
    with pytest.raises(UnsupportedMediaType) as refusal:
        refuse_other_types(headers(content_type="application/json", http_content_encoding=encoding))
    message = "Send the body without Content-Encoding."
    assert (refusal.value.message, refusal.value.own_texts) == (message, {message})
    assert refusal.value.why == parsers.NOT_UTF_8
    assert refusal.value.headers == {"Accept-Encoding": "identity"}
