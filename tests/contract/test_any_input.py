"""Promise X1: whatever is sent, the answer is JSON and no 5xx, and every refusal wears the envelope. Cases are derandomized."""

import json
import uuid
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Account
from apps.gateway.parsers import MAX_DEPTH
from apps.keys.scopes import GRANTABLE
from tests.contract.attempts import VALID_SEARCHES
from tests.factories.gateway import api_of_new_partner
from tests.support.documented import refuse_undocumented
from tests.support.operations import Operation, operations

pytestmark = pytest.mark.django_db

CASES = 250
POSTS = [operation for operation in operations() if operation.method in {"POST", "PATCH"}]
FRAMEWORK_HEADERS = {"X-Request-Id", "Content-Type"}
UNLIMITED = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6, "search_quota": 10**6}

text = st.text(max_size=40) | st.sampled_from(
    ["", " ", "\x00", "\ud800", "1_0", "５", "LHR", "2027-W01-1", "x" * 300]
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**31, 2**63, -(2**63) - 1, 2**64, 10**63, 10**64])
    | st.floats()
    | text
)
json_values = st.recursive(
    scalars,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(text, below, max_size=4),
    max_leaves=12,
)
names = st.sampled_from(
    [name for operation in POSTS if operation.route.body for name in operation.route.body().fields]
)
bodies = st.dictionaries(names | text, json_values, max_size=6)
raw_bodies = (
    bodies.map(lambda body: json.dumps(body).encode())
    | json_values.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=60)
    | st.sampled_from(
        [b"[" * 5000, b'{"a":' * 40 + b"1" + b"}" * 40, b'{"a":1,"a":2}', b'{"a":1e999}', b"\xef\xbb\xbf{}"]
    )
)
header_text = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=40
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "Idempotency-Key": header_text,
        "X-Partner-Customer-Ref": header_text
        | st.sampled_from(["sbx_", "sbx_slow", "sbx_x", "sbx_supplier_error"]),
        "X-Request-Id": header_text,
        "Accept": header_text | st.sampled_from(["text/html", "*/*;q=0"]),
        "Accept-Language": header_text,
        "X-Forwarded-For": header_text,
        "Content-Encoding": header_text,
        "Cookie": header_text,
        "If-None-Match": header_text,
    },
)
query_names = st.sampled_from(
    [parameter.name for operation in operations() for parameter in operation.route.query]
)
ids = st.text(
    st.characters(exclude_characters="/?#", exclude_categories=["Cs"]), min_size=1, max_size=70
).filter(lambda value: value not in {".", ".."})
HYPOTHESIS = settings(
    max_examples=CASES,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def secret() -> str:
    """Of a partner without limits, whose searches succeed and whose bookings find no funds."""
    api = api_of_new_partner(scopes=GRANTABLE)
    Account.objects.update(**UNLIMITED)
    return api.secret


def assert_well_behaved(response: Any, method: str, path: str) -> None:
    assert response.status_code < 500, response.content
    assert response["Content-Type"] == "application/json"
    body = json.loads(response.content)
    if response.status_code >= 400:
        assert body["error"]["requestId"] == response["X-Request-Id"]
        assert {"type", "message", "requestId"} <= set(body["error"])
    assert response["X-Request-Id"] == str(uuid.UUID(response["X-Request-Id"]))
    refuse_undocumented(method, path, response.status_code, body)


@given(
    operation=st.sampled_from(POSTS),
    raw=raw_bodies,
    sent=headers,
    id=ids,
    content_type=header_text | st.none(),
)
@HYPOTHESIS
def test_no_post_makes_the_service_fail(operation, raw, sent, id, content_type, secret):
    path = operation.url_of(quote(id))
    response = Client(raise_request_exception=False).generic(
        operation.method,
        path,
        raw,
        content_type="application/json" if content_type is None else content_type,
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": f"k-{uuid.uuid4()}", **sent},
    )
    assert_well_behaved(response, operation.method, path)


@given(operation=st.sampled_from(POSTS), body=bodies, at=st.sampled_from(["instead", "inside"]))
@HYPOTHESIS
def test_no_body_that_almost_fits_makes_the_service_fail(operation: Operation, body, at: str, secret):
    """Known names with any values: alone, or over a valid body."""
    valid = VALID_SEARCHES.get(operation.route.id, {}) if at == "inside" else {}
    path = operation.url
    response = Client(raise_request_exception=False).generic(
        operation.method,
        path,
        json.dumps({**valid, **body}).encode(),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": f"k-{uuid.uuid4()}"},
    )
    assert_well_behaved(response, operation.method, path)


@given(
    operation=st.sampled_from([operation for operation in operations() if operation.method == "GET"]),
    id=ids,
    query=st.dictionaries(
        query_names | text.filter(str.isprintable),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
        | st.sampled_from(["0", "-1", "101", "1e2", "٣", "2026-13-01"]),
        max_size=4,
    ),
)
@HYPOTHESIS
def test_no_read_makes_the_service_fail(operation: Operation, id: str, query: dict[str, str], secret):
    response = Client(raise_request_exception=False).get(
        operation.url_of(quote(id)), query, headers={"Authorization": f"Bearer {secret}"}
    )
    assert_well_behaved(response, "GET", operation.url)


def test_the_bodies_reach_beyond_the_depth_limit():
    assert MAX_DEPTH < 40
