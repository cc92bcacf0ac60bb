"""Sends the inputs, a few at a time, and says which were answered as no input may be."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.siege.goods import Goods
from tests.siege.hostile import pages, v1
from tests.siege.hostile.inputs import Input
from tests.siege.stage import Stage
from tests.siege.wire import Answer, call, connected, received, request

AT_ONCE = 4
PATIENCE = 20.0
SLOW_SECONDS = 1.0
BUSY_WAITS = (0.5, 2.0, 6.0)
NOT_IMPLEMENTED = {501, 505}


@dataclass(frozen=True)
class Result:
    input: Input
    answer: Answer

    def faults(self) -> Iterator[str]:
        """In words; how long it took is for the caller to judge."""
        status = self.answer.status
        if not status:
            yield f"{self.answer.end}, no answer"
        elif status >= 500 and status not in NOT_IMPLEMENTED:
            yield f"answered {status}"
        elif self.input.must_refuse and status < 400 and not self.leads_away:
            yield f"taken with {status}"
        elif self.input.is_of_v1 and status >= 400 and not self.answer.is_enveloped:
            yield f"{status} without the envelope"

    @property
    def leads_away(self) -> bool:
        """A page that is led to the sign-in, or to the list without its filters, has not taken what was sent."""
        place = self.answer.headers.get("location", "")
        return self.answer.status == 302 and (
            "?e=1" in place or "/login/" in place or "/reauthenticate/" in place
        )


def all_inputs(stage: Stage, every: int = 1) -> list[Input]:
    """Every `every`th there is, always in the same order; of as many pages the forms are tried."""
    heavy = stage.api("heavy", "test")
    document = heavy.get("/v1/openapi.json").body
    addresses: list[str] = stage.partners["addresses"]
    staff = signed_in(stage, stage.partners["staff"]["email"], stage.partners["staff"]["password"])
    person = stage.partners["heavy"]
    member = signed_in(stage, person["portalEmail"], person["portalPassword"])
    made = [
        *v1.inputs(document, heavy.secret, Goods(stage).told()),
        *pages.gets(addresses, staff, member),
        *pages.outside(),
    ]
    forms: list[Input] = []
    for address in [one for one in addresses if may_have_forms(one)][::every]:
        path, cookie = pages.filled(address, "1"), staff if address.startswith("/admin/") else member
        page = call(stage.port, request("GET", path, {"Cookie": cookie, "Connection": "close"}))
        forms += pages.posts(path, cookie, page.body)
    return made[::every] + forms


def may_have_forms(address: str) -> bool:
    """Whether it is a page for people who signed in, that needs no id."""
    if "logout" in address or "<" in address.replace("<environment:environment>", ""):
        return False
    return address.startswith(("/admin/", "/portal/", "/account/"))


def sign_in_page(stage: Stage) -> tuple[bytes, str]:
    page = call(stage.port, request("GET", "/account/login/", {"Connection": "close"}))
    return page.body, page.headers.get("set-cookie", "").partition(";")[0]


def signed_in(stage: Stage, email: str, password: str) -> str:
    """The cookies of somebody who signed in."""
    form, cookie = sign_in_page(stage)
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', form)
    assert token is not None, form[:200]
    fields = {"csrfmiddlewaretoken": token[1].decode(), "login": email, "password": password}
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Connection": "close"}
    raw = request("POST", "/account/login/", headers, urlencode(fields).encode())
    cookies = every_cookie(stage.port, raw)
    assert any(name.startswith(("sessionid", "__Host-session")) for name in cookies), cookies
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def every_cookie(port: int, raw: bytes) -> dict[str, str]:
    with connected(port) as connection:
        connection.sendall(raw)
        answer = received(connection, until=b"\r\n\r\n", seconds=10).decode("latin-1")
    return dict(re.findall(r"(?im)^set-cookie: *([^=]+)=([^;]*)", answer))


def send_all(stage: Stage, inputs: list[Input]) -> list[Result]:
    """What took long is sent again alone, and the shorter time counts: then it was not the others' doing."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        first = list(pool.map(lambda sent: send(stage.port, sent), inputs))
    return [again_if_slow(stage.port, result) for result in first]


def send(port: int, sent: Input) -> Result:
    """Once more where it met a 503, which says that the service was busy and nothing of the input."""
    for wait in BUSY_WAITS:
        answer = call(port, written(sent), seconds=PATIENCE)
        if answer.status != 503:
            break
        time.sleep(wait)
    return Result(sent, answer)


def again_if_slow(port: int, result: Result) -> Result:
    if result.answer.seconds <= SLOW_SECONDS:
        return result
    return min(result, send(port, result.input), key=lambda one: one.answer.seconds)


def written(sent: Input) -> bytes:
    """As it travels, with an Idempotency-Key of its own each time, unless the key is what is hostile about it."""
    headers = {**sent.headers, "Connection": "close"}
    if headers.get("Idempotency-Key", "").startswith("hostile-"):
        headers["Idempotency-Key"] = f"hostile-{time.monotonic_ns()}"
    return request(sent.method, sent.path, headers, sent.body)


def statuses(results: list[Result]) -> Counter[int]:
    return Counter(result.answer.status for result in results)
