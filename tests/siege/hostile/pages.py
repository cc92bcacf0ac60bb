"""Hostile inputs to portal, documentation, sign-in and back office, by rule from the URL map and the pages' own forms."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

from tests.siege.hostile.inputs import IN_PATHS, WHOLE_BODIES, Input

LEFT_OUT = ("logout", "/account/theme/", "/jsi18n/")
"""What ends the session that all the others need, or answers the same to everything."""
QUERIES = {
    "page -1": "page=-1",
    "a large page": "page=" + "9" * 30,
    "page NUL": "page=%00",
    "a search with a NUL": "q=%00",
    "a long search": "q=" + "a" * 5_000,
    "no UTF-8": "q=%ff&status=%ff&product=%ff&cursor=%ff&from=%ff",
    "dates that are none": "from=0000-00-00&to=99999-99-99&since=x&until=%00",
    "filters that are none": "status=x&product=%00&type=[]&key=%27&environment=x&cursor=x&limit=1e9",
    "filters twice": "status=a&status=b&page=1&page=2",
    "another host to go to": "next=//elsewhere.example/",
    "2,000 parameters": "&".join(f"a{n}=1" for n in range(2_000)),
}
LOOKUPS = {
    "a regular expression": "id__regex=(",
    "one that backtracks": "id__regex=(a%2B)%2B%24",
    "year 0": "created_at__year=0",
    "year 99999": "created_at__year=99999",
    "a date that is none": "created_at__gte=x",
    "ids with a NUL": "pk__in=%00",
    "a range of one": "id__range=1",
    "a truth that is none": "id__isnull=x",
    "somebody's password": "user__password__startswith=pbkdf2",
    "travellers": "details__icontains=a",
    "a secret": "secret__startswith=a",
    "a relation that is none": "a__b__c=1",
}
PAGING = {
    "order by what is none": "o=99.-99.x",
    "page x": "p=x",
    "page 10^30": "p=" + "9" * 30,
    "all": "all=",
    "facets": "_facets=x",
    "a search with a NUL": "q=%00",
    "a search of regular expressions": "q=((((",
    "filters kept": "_changelist_filters=%00",
    "popup": "_popup=x&_to_field=password",
}
IN_FORMS = {
    "nothing": "",
    "a NUL": "a\x00b",
    "a large number": "9" * 400,
    "minus": "-1",
    "50,000 letters": "a" * 50_000,
    "emoji": "😀",
    "a line break": "a\r\nb",
    "a template": "{{7*7}}${7*7}<script>",
    "a date that is none": "99999-99-99",
}


def gets(addresses: list[str], staff: str, member: str) -> Iterator[Input]:
    """Every address with hostile arguments, or with hostile queries where it takes none."""
    for address in addresses:
        if any(part in address for part in LEFT_OUT):
            continue
        cookie = {"Cookie": staff if address.startswith("/admin/") else member}
        arguments = re.findall(r"<(?:\w+:)?(\w+)>", address)
        if [name for name in arguments if name != "environment"]:
            for name, value in IN_PATHS.items():
                yield Input(f"argument: {name}", "GET", filled(address, value), cookie)
            yield Input(
                "posted without a token",
                "POST",
                filled(address, "1"),
                cookie,
                b"a=1",
                must_refuse=not is_open(address),
            )
            continue
        path = filled(address, "1")
        asked = QUERIES
        if re.fullmatch(r"/admin/(?!password)\w+/\w+/", address):  # a list of the back office
            asked = {**LOOKUPS, **PAGING}
        for name, query in asked.items():
            yield Input(
                f"query: {name}", "GET", f"{path}?{query}", cookie, must_refuse=name in REFUSED_LOOKUPS
            )
        yield Input("posted without a token", "POST", path, cookie, b"a=1", must_refuse=not is_open(address))
        for name in ("NUL", "no UTF-8", "5,000 letters", "dots"):
            yield Input(f"path: {name}", "GET", f"{path.rstrip('/')}/{IN_PATHS[name]}", cookie)


REFUSED_LOOKUPS = {
    "a regular expression",
    "one that backtracks",
    "year 0",
    "year 99999",
    "somebody's password",
}


def is_open(address: str) -> bool:
    """Whether a POST there needs no token of a form."""
    return address.startswith(("/health", "/suppliers/", "/esim/"))


def filled(address: str, value: str) -> str:
    return re.sub(r"<(?:\w+:)?\w+>", value, re.sub(r"<(?:\w+:)?environment>", "test", address))


def posts(path: str, cookie: str, page: bytes) -> Iterator[Input]:
    """The forms of a page, each filled with one hostile value in all its fields."""
    html = page.decode(errors="replace")
    for form in re.findall(r"<form\b.*?</form>", html, re.S):
        if 'method="post"' not in form.lower() or "logout" in form or "/theme/" in form:
            continue
        action = re.search(r'action="([^"]*)"', form)
        fields = re.findall(r'<(?:input|select|textarea)[^>]*\bname="([^"]+)"', form)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        if token is None:
            continue
        for name, value in IN_FORMS.items():
            body = urlencode({**dict.fromkeys(fields, value), "csrfmiddlewaretoken": token[1]})
            headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
            yield Input(f"form: {name}", "POST", (action and action[1]) or path, headers, body.encode())
        for kind in (
            "multipart/form-data",
            "multipart/form-data; boundary=a",
            "text/plain; charset=nonsense",
        ):
            headers = {"Cookie": cookie, "Content-Type": kind, "X-CSRFToken": token[1]}
            yield Input(f"form: as {kind}", "POST", (action and action[1]) or path, headers, b"--a\r\nx")


def outside() -> Iterator[Input]:
    """What nobody signs in for."""
    for name, value in IN_PATHS.items():
        for place in (
            "/static/",
            "/docs/guides/",
            "/docs/errors/",
            "/esim/qr/",
            "/hotels/pictures/",
            "/account/invitation/",
            "/",
        ):
            yield Input(f"{name}", "GET", place + value)
    for supplier in ("duffel", "liteapi", "airalo", "hotelbeds", "none", "%00"):
        for name, body in WHOLE_BODIES.items():
            yield Input(
                f"body: {name}",
                "POST",
                f"/suppliers/{supplier}/webhooks",
                {"Content-Type": "application/json"},
                body,
            )
    for path in ("/health", "/health/ready", "/health/full"):
        for method in ("POST", "PUT", "OPTIONS", "DELETE", "BREW"):
            yield Input("method", method, path, must_refuse=True)
