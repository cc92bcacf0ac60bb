"""One hostile input, and what hostile values there are."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Input:
    """`must_refuse`: by the document, or by the rules of HTTP, it is wrong, so that a 2xx takes it silently."""

    name: str
    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    must_refuse: bool = False

    @property
    def is_of_v1(self) -> bool:
        return self.path.startswith("/v1/")

    def __str__(self) -> str:
        return f"{self.method} {self.path[:90]} ({self.name})"


IN_PATHS = {
    "NUL": "%00",
    "newline": "a%0d%0aX-Odd:%20a",
    "dots": "..",
    "encoded dots": "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "65 letters": "a" * 65,
    "5,000 letters": "a" * 5_000,
    "emoji": "%F0%9F%98%80",
    "no UTF-8": "%ff%fe",
    "a surrogate": "%ED%A0%80",
    "a quote": "%27%20OR%201=1--",
    "zero": "0",
    "minus": "-1",
    "a large number": "9" * 40,
    "Arabic digits": "%D9%A1%D9%A2",
    "a star": "*",
    "a tag": "%3Cscript%3E",
    "a template": "%7B%7B7*7%7D%7D",
    "a percent sign": "%25",
    "a slash": "a%2Fb",
    "a space": "%20",
    "a regular expression": "(",
    "an exponent": "1e400",
}
IN_QUERIES = {
    **IN_PATHS,
    "nothing": "",
    "one too many": "101",
    "an exponent that is whole": "1e1",
    "an underscore": "1_0",
    "a plus": "%2B5",
    "a blank before": "%205",
    "a decimal": "5.0",
    "true": "true",
    "null": "null",
    "a list": "[]",
    "month 13": "2026-13-01",
    "year 0": "0000-01-01",
    "year 99999": "99999-01-01",
    "a week date": "2026-W01-1",
}
IN_BODIES: dict[str, object] = {
    "null": None,
    "true": True,
    "zero": 0,
    "minus one": -1,
    "a decimal": 1.5,
    "2^31": 2**31,
    "2^63": 2**63,
    "60 digits": 10**60,
    "an infinity by exponent": 1e308,
    "nothing": "",
    "blanks": "   ",
    "a NUL": "a\x00b",
    "a surrogate": "\ud800",
    "a line break": "a\nb",
    "300 letters": "a" * 300,
    "100,000 letters": "a" * 100_000,
    "a number in a text": "5",
    "Arabic digits": "٥",
    "a week date": "2027-W01-1",
    "year 0": "0000-01-01",
    "an ambiguous date": "2027-1-1",
    "a list": [],
    "lists in lists": [[[[]]]],
    "a null in a list": [None],
    "an object": {},
    "an unknown property": {"a": 1},
    "a prototype": {"__proto__": {"a": 1}},
}
WHOLE_BODIES: dict[str, bytes] = {
    "an open brace": b"{",
    "an open list": b'{"a":[',
    "a list": b"[]",
    "a text": b'"a"',
    "a number": b"1",
    "null": b"null",
    "true": b"true",
    "NaN": b'{"limit":NaN}',
    "Infinity": b'{"limit":Infinity}',
    "1e999": b'{"limit":1e999}',
    "a number of 5,000 digits": b'{"limit":' + b"1" * 5_000 + b"}",
    "a BOM": b"\xef\xbb\xbf{}",
    "UTF-16": '{"limit":5}'.encode("utf-16"),
    "no UTF-8": b'{"limit":"\xff"}',
    "an overlong NUL": b'{"limit":"\xc0\x80"}',
    "5,000 open lists": b"[" * 5_000,
    "40 objects in objects": b'{"a":' * 40 + b"1" + b"}" * 40,
    "100,000 objects in objects": b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    "a name twice": b'{"limit":5,"limit":6}',
    "a name twice, once escaped": b'{"limit":5,"\\u006cimit":6}',
    "2,000 names": b"{" + b",".join(b'"a%d":1' % n for n in range(2_000)) + b"}",
    "an unknown name": b'{"noSuchProperty":1}',
    "an empty name": b'{"":1}',
    "a name with a NUL": b'{"a\\u0000b":1}',
    "a lone surrogate": b'{"limit":"\\ud800"}',
    "a comma too many": b'{"limit":5,}',
    "a comment": b'{"limit":5/**/}',
    "single quotes": b"{'limit':5}",
    "two documents": b"{}{}",
    "a form": b"limit=5",
    "XML": b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "a pickle": b"\x80\x04\x95",
    "a kilobyte of NULs": b"\x00" * 1_024,
}
CONTENT_TYPES = {
    "text/plain": True,
    "application/xml": True,
    "application/x-www-form-urlencoded": True,
    "multipart/form-data; boundary=a": True,
    "application/json; charset=utf-16": True,
    "application/json; charset=nonsense": True,
    "application/jsonp": True,
    "json": True,
    "*/*": True,
    "application/json, text/plain": True,
    "application/json;;;": False,
    "APPLICATION/JSON": False,
}
BAD_CREDENTIALS = (
    "Bearer",
    "Bearer null",
    "Bearer " + "a" * 8_000,
    "Bearer svc_live_" + "0" * 38,
    "Bearer svc_test_é",
    "Bearer a b",
    "Basic YTpi",
    "Token {key}",
    "{key}",
    "Bearer={key}",
)
BAD_TRIGGERS = (
    "sbx_",
    "sbx_é",
    "sbx_unknown",
    "sbx_SLOW",
    "sbx_offer_expired,",
    "sbx_slow;",
    "sbx_" + "a" * 5_000,
)
BAD_IDEMPOTENCY_KEYS = ("", "short", "a" * 256, "clé-unique-1", "with\ta\ttab", "中文字符键", '""')
