import pytest

from apps.common.outbound.connection import Origin
from apps.webhooks.target import Target, UrlRefused, parse_url


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://a.example", Target(Origin("https", "a.example", 443), "/")),
        ("HTTPS://A.Example:443/x", Target(Origin("https", "a.example", 443), "/x")),
        ("https://a.example:8443/x/y?z=1", Target(Origin("https", "a.example", 8443), "/x/y?z=1")),
        ("https://a.example/!~?!~", Target(Origin("https", "a.example", 443), "/!~?!~")),
        ("https://a.example?z=1", Target(Origin("https", "a.example", 443), "/?z=1")),
        ("https://xn--bcher-kva.example/", Target(Origin("https", "xn--bcher-kva.example", 443), "/")),
        ("https://a.example:1024/", Target(Origin("https", "a.example", 1024), "/")),
        ("https://a.example:65535/", Target(Origin("https", "a.example", 65535), "/")),
        (f"https://{'a.' * 126}a/", Target(Origin("https", "a." * 126 + "a", 443), "/")),
        ("https://a.example/" + "x" * 2030, Target(Origin("https", "a.example", 443), "/" + "x" * 2030)),
        ("https://8.8.8.8/x", Target(Origin("https", "8.8.8.8", 443), "/x")),
        (
            "https://[2606:4700::1111]:8443/",
            Target(Origin("https", "2606:4700::1111", 8443), "/"),
        ),
    ],
)
def test_public_https_urls_are_taken(url: str, target: Target) -> None:
    assert parse_url(url, allow_local=False) == target


NOT_A_PUBLIC_URL = [
    # scheme
    "http://a.example/",
    "ftp://a.example/",
    "//a.example/",
    "a.example/hooks",
    "https:/a.example/",
    "https:a.example",
    "",
    # credentials, fragments, odd characters
    "https://user@a.example/",
    "https://user:pass@a.example/",
    "https://a.example@127.0.0.1/",
    "https://a.example/#x",
    "https://a.example/a b",
    "https://a.example/\r\nHost: b.example",
    "https://a.example\\@127.0.0.1/",
    "https://bücher.example/",
    "https://a.example/\x00",
    "https://a.example/" + "x" * 2048,
    # ports
    "https://a.example:80/",
    "https://a.example:22/",
    "https://a.example:1023/",
    "https://a.example:65536/",
    "https://a.example:0/",
    "https://a.example:/",
    "https://a.example:44３/",
    "https://a.example:+443/",
    # names
    "https:///x",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://api.localhost/",
    "https://printer.local/",
    "https://home.arpa/",
    "https://router.home.arpa/",
    f"https://{'a.' * 126}aa/",
    "https://a.example/" + "x" * 2031,
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://intranet/",
    "https://a..example/",
    "https://a.example./",
    "https://127.0.0.1./",
    "https://-a.example/",
    "https://" + "a" * 64 + ".example/",
    "https://" + "a." * 130 + "example/",
    "https://%31%32%37.0.0.1/",
    "https://a.example:443:443/",
    # private and special IPv4
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    # the same written otherwise: decimal, hexadecimal, octal, short
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.0.0.01/",
    "https://1.2.3.4.5/",
    "https://8.8.8/",
    "https://0x8.0x8.0x8.0x8/",
    "https://example.0x7f/",
    # IPv6
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1%25eth0]/",
    "https://[127.0.0.1]/",
    "https://[::1/",
    "https://::1/",
]


@pytest.mark.parametrize("url", NOT_A_PUBLIC_URL)
def test_everything_else_is_refused(url: str) -> None:
    with pytest.raises(UrlRefused):
        parse_url(url, allow_local=False)


PLAIN = "must be printable ASCII without spaces or backslashes; write other names in their xn-- form"
NO_HOST = "must have a host, and a port in plain digits where it has one"
NOT_PLAIN_ADDRESS = "must have a host name, or an IP address in its plain form"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://a.example/" + "x" * 2031, "must have at most 2048 characters"),
        ("https://a.example/a b", PLAIN),
        ("https://a.example/#x", "must not have a fragment"),
        ("http://a.example/", "must be an https URL"),
        ("https://user@a.example/", "must not have a user name or password"),
        ("https:///x", NO_HOST),
        ("https://a.example:80/", "must use port 443, or one from 1024 up"),
        ("https://a.example:444/", "must use port 443, or one from 1024 up"),
        ("https://2130706433/", NOT_PLAIN_ADDRESS),
        ("https://[127.0.0.1]/", NOT_PLAIN_ADDRESS),
        ("https://10.0.0.1/", "must have a public host"),
        ("https://a..example/", "must have a well-formed host name"),
        (f"https://{'a.' * 126}aa/", "must have a well-formed host name"),
        ("https://localhost/", "must have a public host"),
        ("https://home.arpa/", "must have a public host"),
    ],
)
def test_a_refusal_says_why(url: str, why: str) -> None:
    with pytest.raises(UrlRefused) as refused:
        parse_url(url, allow_local=False)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/x", "http://localhost:8000/", "https://[::1]:8443/", "http://127.9.9.9:1024/"],
)
def test_this_host_is_admitted_where_local_targets_are(url: str) -> None:
    assert parse_url(url, allow_local=True).origin.port >= 1024


@pytest.mark.parametrize(
    "url",
    [
        url
        for url in NOT_A_PUBLIC_URL
        if url.lower() not in ("https://localhost/", "https://127.0.0.1/", "https://[::1]/")
    ],
)
def test_local_targets_admit_nothing_but_http_and_this_host(url: str) -> None:
    # http on port 80 stays refused: the port rule holds.
    with pytest.raises(UrlRefused):
        parse_url(url, allow_local=True)
