"""What a receiver's owner can do about a cause (causes.py): a sentence or two, shown beside it."""

ADVICE = {
    "timeout": "Answer 2xx as soon as the signature is checked and the event is stored; work on it afterwards.",
    "redirect": "Register the address that answers itself; a redirect is not followed, so that nobody else is sent your events.",
    "gone": "410 ends a delivery for good. Answer another status if you want it to be tried again.",
    "url_refused": "Edit the endpoint and give an https address that can be reached from the internet.",
    "address_not_public": "The name leads to an address inside a network. Let it resolve to public addresses alone.",
    "name_not_resolved": "Look at the DNS record of the host. A record that was just made may take its time to be known.",
    "tls_certificate": "Renew the certificate, or have the server send the whole chain, with its intermediate certificates.",
    "tls": "Offer TLS 1.2 or 1.3 on this port, with a certificate for this host name.",
    "connection_refused": "Nothing listens on this port: start the receiver, or open the firewall for it.",
    "connection_closed": "The receiver, or a proxy before it, closed the connection: look at its log at the time of the attempt.",
    "not_http": "Something else than a web server answers on this port. Check the port of the address.",
    "unreachable": "No way leads to the host: look at its network, and at a firewall that drops what it does not know.",
    "connection": "Look at the receiver and the network before it; it is tried again by itself.",
    "lost": "This is ours: nothing to do for you. It did not count, and was tried again.",
    "internal": "This is ours: nothing to do for you. It is tried again; tell us if it stays.",
}
OF_STATUS = {
    400: "Your receiver did not understand the body: log what arrives, and read it as the payload on this page.",
    401: "The signature was not accepted. Check that the receiver has the current secret and signs the raw bytes of the body.",
    403: "Refused by the receiver or by a firewall before it. Let POST requests to this path through.",
    404: "Nothing is served at this path: check the endpoint's address.",
    405: "The path does not take POST requests.",
    413: "The receiver takes only shorter bodies; raise its limit.",
    429: "The receiver is busy. Take events into a queue, and answer before you work on them.",
}
OF_SERVER_ERRORS = "The receiver failed: look at its log at the time of the attempt."
OF_OTHERS = "Answer any 2xx when the event has been stored."


def advice_for(code: str, status_code: int | None) -> str:
    """What to do about an attempt that was not accepted; nothing for one that was."""
    if code in ADVICE:
        return ADVICE[code]
    if status_code is None or 200 <= status_code <= 299:
        return ""
    return OF_STATUS.get(status_code, OF_SERVER_ERRORS if status_code >= 500 else OF_OTHERS)
