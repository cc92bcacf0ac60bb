"""Tags and filters for what all pages show alike: money, times, states, icons."""

import re
from datetime import datetime, timedelta
from io import BytesIO

import segno
from django import template
from django.conf import settings
from django.template.context import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from apps.accounts import payment_reference as references
from apps.common import clock, contact, zones
from apps.common.money import exponent, to_major
from apps.ledger.models import LedgerTransaction
from apps.portal import icons
from apps.portal.navigation import address_of, address_of_object, ledger_line_address
from apps.portal.states import State, state_of
from apps.portal.theme import THEMES, chosen_theme
from apps.webhooks.models import Endpoint
from apps.webhooks.services.endpoints import without_query

register = template.Library()

NO_MONEY = mark_safe('<span class="money">–</span>')
NOT_KNOWN = mark_safe('<span class="muted">–</span>')
NEVER = mark_safe('<span class="muted">never</span>')

register.simple_tag(icons.icon, name="icon")
register.simple_tag(address_of, name="address")  # as Django's `url`, but remembered


@register.simple_tag
def ask() -> SafeString:
    """For the middle of a sentence: whom to write to, as a link where there is an address."""
    address = settings.SUPPORT_EMAIL
    if not address:
        return format_html("{}", contact.ask())
    return format_html('write to <a href="mailto:{0}">{0}</a>', address)


@register.simple_tag
def status_link() -> SafeString:
    """A link to the deployment's status page. Empty without one."""
    if not settings.STATUS_URL:
        return SafeString()
    return format_html('<a href="{}">Service status</a>', settings.STATUS_URL)


@register.simple_tag(takes_context=True)
def payment_reference(context: Context) -> str:
    """The account's, as it is printed: `RF85 Z7T2 J9YW`."""
    return references.in_groups(references.payment_reference(context["portal"].account.pk))


@register.simple_tag
def top_up_instructions(reference: str) -> str:
    return contact.top_up_instructions(reference)


@register.simple_tag
def money(cents: int | None, currency: str) -> SafeString:
    """`1,234.50 EUR`, with a real minus sign; a dash for None."""
    if cents is None:
        return NO_MONEY
    return format_html(
        '<span class="money">{}\u00a0<span class="currency">{}</span></span>',
        amount(cents, currency),
        currency,
    )


def amount(cents: int, currency: str) -> str:
    return f"{to_major(cents, currency):,.{exponent(currency)}f}".replace("-", "−")


@register.simple_tag
def when(instant: datetime | None, *, seconds: bool = False) -> SafeString:
    """`20 Nov 2026, 15:03 CET`, in the reader's zone. The tooltip has it to the second, and in UTC. A dash for None."""
    if instant is None:
        return NOT_KNOWN
    return time_element(instant, zones.day_and_time(instant, seconds=seconds))


@register.simple_tag
def ago(instant: datetime | None) -> SafeString:
    """`3 min ago`, or `in 3 min`. The tooltip has the instant in the reader's zone and in UTC. `never` for None.

    Scripts keep the age up to date.
    """
    return ago_at(instant, clock.now_here())


@register.simple_tag
def ago_really(instant: datetime | None) -> SafeString:
    """As `ago`, by the real clock, on a page of an environment whose clock may be ahead: calls are logged in real time."""
    return ago_at(instant, clock.now())


@register.simple_tag(takes_context=True)
def ago_there(context: Context, instant: datetime | None) -> SafeString:
    """As `ago`, by the clock of the environment, on a page of real times."""
    return ago_at(instant, clock.now(context["portal"].place))


def ago_at(instant: datetime | None, now: datetime) -> SafeString:
    if instant is None:
        return NEVER
    distance = now - instant
    if distance < timedelta(0):
        return time_element(instant, f"in {span(-distance)}")
    return time_element(instant, f"{span(distance)} ago", f' data-age="{int(distance.total_seconds())}"')


def time_element(instant: datetime, shown: str, more: str = "") -> SafeString:
    """An instant as `shown`, with its tooltip. No part of it needs escaping: all are digits and names of months and zones."""
    exact = f'datetime="{clock.rfc3339(instant)}" title="{zones.exact_words(instant)}"'
    return mark_safe(f"<time {exact}{more}>{shown}</time>")  # noqa: S308 - see above


@register.simple_tag
def clock_time(instant: datetime) -> SafeString:
    """`15:03 CET`, of today, in the reader's zone."""
    return time_element(instant, zones.clock_words(instant))


@register.simple_tag
def now_in_zone() -> SafeString:
    return when(clock.now())


@register.simple_tag
def zone() -> str:
    """The name of the reader's zone, `Europe/Berlin`."""
    return timezone.get_current_timezone_name().replace("_", " ")


@register.simple_tag
def countdown(instant: datetime) -> SafeString:
    """`in 3 min`, which the script keeps up to date. Without scripts the text stays as it was loaded."""
    left = max(instant - clock.now_here(), timedelta(0))
    return time_element(instant, f"in {span(left)}", " data-countdown")


@register.simple_tag
def middle(text: str, tail: int = 14) -> SafeString:
    """A text in one line; where it is too long, the ellipsis is in its middle. The tooltip has all of it."""
    text = str(text)
    if len(text) <= 2 * tail:
        return format_html("{}", text)
    return format_html(
        '<span class="middle" data-tail="{3}" title="{0}"><span>{1}</span><span>{2}</span></span>',
        text,
        text[:-tail],
        text[-tail:],
        tail,
    )


@register.filter
def span(length: timedelta) -> str:
    """The length in its largest unit, rounded down: `45 s`, `3 min`, `5 h`, `12 days`."""
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {'day' if unit == 'days' and count == 1 else unit}"
    return f"{seconds} s"


@register.simple_tag
def pill(value: object, label: str = "") -> SafeString:
    """A state with its colour. A state without a colour of its own is grey."""
    state: State = state_of(str(value))
    return format_html('<span class="pill pill-{}">{}</span>', state.tone, label or state.label)


@register.simple_tag
def copyable(text: object, address: str = "", *, what: str = "id") -> SafeString:
    """An id that a click copies, in one line; a link where it has a page. `what` names it for who cannot see the button."""
    shown = middle(str(text), 8)
    link = format_html('<a href="{}">{}</a>', address, shown) if address else shown
    return format_html(
        '<span class="copyable"><span class="mono">{}</span><button type="button" class="copy copy-id" data-copy-text="{}"'
        ' title="Copy">{}<span class="copy-word" data-label-text aria-live="polite">Copy</span>'
        '<span class="visually-hidden"> {}</span></button></span>',
        link,
        text,
        icons.icon("copy"),
        what,
    )


@register.simple_tag(takes_context=True)
def to(context: Context, page: str, pk: object) -> str:
    """The address of the page of one object, in the environment of this page: `{% to "booking" booking.id %}`."""
    return address_of_object(page, context["portal"].environment, pk)


@register.simple_tag(takes_context=True)
def side(context: Context) -> SafeString:
    """What stands at the side of a wide window and behind the menu of a narrow one: made once for both."""
    assert context.template is not None  # a tag is rendered in one
    return context.template.engine.get_template("portal/parts/side.html").render(context)


@register.simple_tag(takes_context=True)
def ledger_address(context: Context, line: LedgerTransaction) -> str:
    """The page of the ledger that begins with this line."""
    return ledger_line_address(context["portal"], line.created_at, line.pk)


@register.filter
def coded(text: str) -> SafeString:
    """A sentence with its `code` marked, as Markdown does it."""
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))  # noqa: S308 - escaped first


@register.filter
def endpoint_name(endpoint: Endpoint) -> str:
    """What people call an endpoint: its description, else its address without the query."""
    return endpoint.description or without_query(endpoint.url)


@register.filter
def without_https(url: str) -> str:
    """As browsers write it. Another scheme stays."""
    return url.removeprefix("https://")


@register.simple_tag
def key_name(names: dict[str, str], key_id: str | None) -> SafeString:
    """The name of the key from `names`, by its id; else a dash."""
    return format_html("{}", names.get(key_id or "", "–"))


@register.simple_tag
def booked(lines: dict[str, str], reference: str | None) -> str:
    """What was booked under the reference, in one line; empty where that is not known."""
    return lines.get(reference or "", "")


@register.simple_tag
def status_pill(status: int, text: str = "") -> SafeString:
    """`409 price_changed`: an HTTP status, coloured by its class, and a text beside it."""
    tone = "good" if status < 400 else "warn" if status < 500 else "bad"
    return format_html('<span class="pill pill-{}">{}</span>', tone, f"{status} {text}".strip())


BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iOS",
    "iPad": "iPadOS",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
"""The first that is in a User-Agent counts: most claim to be several."""


@register.filter
def browser(user_agent: str) -> str:
    """`Firefox on Linux`; of another program the beginning of what it sends."""
    name = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((system for sign, system in SYSTEMS.items() if sign in user_agent), "")
    return f"{name} on {system}" if name and system else name or user_agent[:40] or "Unknown browser"


@register.simple_tag
def qr(text: str) -> SafeString:
    """A QR code, black on white in both themes, because cameras read others badly."""
    picture = BytesIO()
    segno.make_qr(text, error="m").save(
        picture,
        kind="svg",
        light="#fff",
        dark="#000",
        xmldecl=False,
        svgclass="qr",
        lineclass=None,
        omitsize=True,  # the picture then has a viewBox, and the stylesheet sets its size
        nl=False,
    )
    return mark_safe(picture.getvalue().decode())  # noqa: S308 - segno's own drawing; `text` is not in it


@register.filter
def grouped(secret: str) -> str:
    """In groups of four characters, which are easier to type from one screen into another."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))


@register.simple_tag(takes_context=True)
def theme(context: Context) -> SafeString:
    """The chosen theme as an attribute; empty where the system decides, or where there is no request."""
    chosen = chosen_theme(context.get("request"))
    return format_html(' data-theme="{}"', chosen) if chosen != "system" else mark_safe("")


@register.inclusion_tag("portal/parts/theme_choice.html", takes_context=True)
def theme_choice(context: Context) -> dict[str, object]:
    request = context["request"]
    return {"theme_choices": THEMES.items(), "chosen_theme": chosen_theme(request), "request": request}


@register.simple_tag(takes_context=True)
def again(context: Context, name: str) -> str:
    """The block `name` again. So a template writes its title once, for the window and for the heading."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    return mark_safe(block.nodelist.render(context) if block else "")  # noqa: S308 - a template's own output
