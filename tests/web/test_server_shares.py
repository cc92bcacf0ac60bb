"""Whose calls run: each partner, each address and the probes have their share of the threads."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from django.conf import LazySettings

from apps.common.waiting import about_to_wait
from tests.embedded.support import eventually
from tests.web.conftest import KEY, Shop

Opened = Callable[..., Shop]


def test_one_partner_holds_a_share_and_another_is_served(opened: Opened) -> None:
    shop = opened()
    other = KEY.replace("known", "other")
    for learnt in (KEY, other):
        assert shop.ask("/v1/echo", learnt)[0] == 200
    with ThreadPoolExecutor(60) as callers:
        waiting = [callers.submit(shop.ask, "/v1/wait", KEY) for _ in range(60)]
        assert eventually(lambda: sum(call.done() for call in waiting) >= 60 - 2 - 32)  # two compute at once
        assert shop.ask("/v1/echo", other)[0] == 200
        refused = [call.result() for call in waiting if call.done()]
        shop.go_on.set()
        statuses = sorted(call.result()[0] for call in waiting)
    assert statuses == [200] * 34 + [429] * 26
    assert orjson.loads(refused[0][1])["error"]["retryAfter"] == 1


def test_four_calls_of_an_account_wait_for_suppliers_however_many_come_at_once(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = opened()
    assert shop.ask("/v1/echo", KEY)[0] == 200  # whose key it is, is known
    all_have_come, asking = threading.Event(), list[bool]()

    def asks_supplier(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        all_have_come.wait(60)
        about_to_wait()
        asking.append(True)
        shop.go_on.wait(60)
        start_response("200 OK", [])
        return []

    monkeypatch.setattr(shop.server, "_application", asks_supplier)
    with ThreadPoolExecutor(8) as callers:
        calls = [callers.submit(shop.ask, "/v1/searches", KEY) for _ in range(8)]
        assert eventually(lambda: shop.server._shares._waits == 8 - 2)
        all_have_come.set()
        try:
            assert eventually(lambda: len(asking) == 4), asking
        finally:
            shop.go_on.set()
        assert [call.result()[0] for call in calls] == [200] * 8


def test_a_new_key_may_begin_with_many_calls_at_once(opened: Opened) -> None:
    shop = opened()
    many = 1 + 2 + 32  # whose key is accepted, and then of one account: two compute and the others wait
    with ThreadPoolExecutor(many) as callers:
        calls = [callers.submit(shop.ask, "/v1/wait", KEY) for _ in range(many)]
        assert eventually(lambda: shop.server._shares._waits == many - 1)
        shop.go_on.set()
        assert [call.result()[0] for call in calls] == [200] * many
    assert eventually(lambda: shop.server._shares.idle)  # its share ends after the answer has left


def test_strangers_leave_threads_to_partners_and_probes_always_have_one(opened: Opened) -> None:
    shop = opened()
    second = KEY.replace("known", "second")
    for learnt in (KEY, second):
        assert shop.ask("/v1/echo", learnt)[0] == 200
    with ThreadPoolExecutor(30) as callers:
        for _ in range(10):
            callers.submit(shop.ask, "/v1/wait", "")
            callers.submit(shop.ask, "/portal/wait", "")
            callers.submit(shop.ask, "/v1/wait", KEY)
        assert eventually(lambda: shop.server._shares._waits >= 9 + 8 + 6)
        assert [shop.ask("/health")[0] for _ in range(10)] == [200] * 10
        assert [shop.ask("/v1/echo", second)[0] for _ in range(10)] == [200] * 10
        shop.go_on.set()


def test_behind_a_proxy_each_caller_has_the_share_of_its_own_address(
    opened: Opened, settings: LazySettings
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    shop = opened()
    with ThreadPoolExecutor(12) as callers:
        for _ in range(6):
            callers.submit(shop.ask, "/portal/wait", "X-Forwarded-For: 192.0.2.1\r\n")
            callers.submit(shop.ask, "/v1/wait", "X-Forwarded-For: 192.0.2.1\r\n")
        assert eventually(lambda: shop.server._shares._waits == 4 + 5)
        for target in ("/portal/echo", "/v1/echo"):
            assert shop.ask(target, "X-Forwarded-For: 192.0.2.2\r\n")[0] == 200
        shop.go_on.set()


@pytest.mark.parametrize(("proxies", "address"), [(0, "127.0.0.1"), (1, "192.0.2.1")])
def test_the_application_is_told_the_callers_address(
    opened: Opened, settings: LazySettings, proxies: int, address: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies

    told = orjson.loads(opened().ask("/v1/echo", "X-Forwarded-For: 192.0.2.1\r\n")[1])
    assert (told["from"], told["address"]) == ("127.0.0.1", address)
