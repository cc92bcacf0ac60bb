"""Sign-in forms with wrong passwords from five addresses: everybody else can still sign in."""

import asyncio
import re
import socket
from urllib.parse import urlencode

from tests.siege.attack import Attack
from tests.siege.field import Field

ADDRESSES = [f"127.0.0.{last}" for last in range(2, 7)]
EACH = 62
PATH = "/account/login/"


async def wrong_passwords(field: Field) -> None:
    """Each address sends its 62 forms one after another, for as many people."""
    await asyncio.gather(*(crowd(field, address) for address in ADDRESSES))


async def crowd(field: Field, address: str) -> None:
    form = await page(field, address)
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', form)
    cookie = re.search(rb"(?i)set-cookie: ([^;]+)", form)
    if token is None or cookie is None:
        return
    for number in range(EACH):
        fields = {
            "csrfmiddlewaretoken": token[1].decode(),
            "login": f"nobody-{number}@example.com",
            "password": "not the password at all",
        }
        await field.ask(
            field.request(
                "POST",
                PATH,
                urlencode(fields).encode(),
                Cookie=cookie[1].decode(),
                Content_Type="application/x-www-form-urlencoded",
            ),
            source=address,
        )


async def page(field: Field, address: str) -> bytes:
    loop = asyncio.get_running_loop()
    connection: socket.socket = await field.connect(address)
    with connection:
        await loop.sock_sendall(connection, field.request("GET", PATH, Connection="close"))
        data = b""
        while got := await loop.sock_recv(connection, 65_536):
            data += got
        return data


ATTACKS = [
    Attack("sign-in-flood", wrong_passwords, victims=("account", "login page", "sign-in"), patience=20.0)
]
