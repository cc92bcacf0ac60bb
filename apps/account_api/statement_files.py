"""The statement of a month as a file: CSV has every line, PDF the figures, payments by product and key, and the first lines."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice

import orjson

from apps.account_api.presenters import entry_json
from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.common.money import exponent, to_major
from apps.documents.pdf import STATEMENT, pdf_of
from apps.documents.words import MONTHS, words_in
from apps.keys.models import ApiKey
from apps.ledger.models import LedgerTransaction
from apps.ledger.months import Group, Month, Statement, all_lines

MOST_PRINTED = 500
"""Lines in a PDF: some 12 pages, set in a fifth of a second."""
ISSUER = "Travel Partner API"
PRODUCTS = {"hotel": "Hotels", "flight": "Flights", "transfer": "Transfers", "esim": "eSIM"}
PERIOD = "A month runs from the first, 00:00 UTC, to the first of the next month, 00:00 UTC, by the time of each ledger line."
CLOSING = (
    "The account of a prepaid balance, not an invoice. The balance is what is available and what is held for bookings, together: "
    "a hold or a release moves money between the two and leaves it as it is."
)

Write = Callable[[int], str]


def file_name(month: Month, environment: str) -> str:
    """Without extension."""
    return f"statement-{environment}-{month.name}"


# --- CSV ------------------------------------------------------------------------------------------------------------------
def whole_csv(owner: tuple[str, str], statement: Statement) -> Iterator[str]:
    """Every line of the account's and the environment's month, for as long as it is read."""
    # Lines that come while the file of an open month is sent are left out: they are not in its closing balance.
    lines = islice(all_lines(*owner, statement.month), statement.figures.line_count)
    return statement_csv(statement, lines)


def statement_csv(statement: Statement, lines: Iterable[LedgerTransaction]) -> Iterator[str]:
    """A header, the opening balance, a row for each line, the closing balance. Amounts in minor units, as in the JSON."""
    figures = statement.figures
    names = list(entry_json(LedgerTransaction(created_at=statement.month.begins)))
    yield csv_row([*names, "balanceAfterCents", "currency"])
    blank = [""] * (len(names) - 2)
    begins, ends = clock.rfc3339(statement.month.begins), clock.rfc3339(statement.month.ends)
    yield csv_row(["", "opening", *blank[:-1], begins, figures.opening_cents, figures.currency])
    for line in lines:
        balance = line.available_after_cents + line.held_after_cents
        yield csv_row([*entry_json(line).values(), balance, line.currency])
    yield csv_row(["", "closing", *blank[:-1], ends, figures.closing_cents, figures.currency])


def csv_row(values: Iterable[object]) -> str:
    """A line of RFC 4180. Text that a spreadsheet would compute is quoted with an apostrophe."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(
        f"'{value}"
        if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
        else value
        for value in values
    )
    return text.getvalue()


# --- PDF ------------------------------------------------------------------------------------------------------------------
def statement_pdf(
    owner: tuple[str, str], statement: Statement, lines: Iterable[LedgerTransaction], now: datetime
) -> bytes:
    """`owner`: the account and the environment of the ledger. `lines`: those to be printed. Raises RateLimitExceeded."""
    return pdf_of(orjson.dumps(texts(owner, statement, list(lines), now)).decode(), STATEMENT)


def texts(
    owner: tuple[str, str], statement: Statement, lines: list[LedgerTransaction], now: datetime
) -> dict[str, object]:
    """What `statement.typ` sets: all of it text that people read."""
    account_id, environment = owner
    account = Account.objects.select_related("sandbox_of").get(pk=account_id)
    keys = dict(ApiKey.objects.filter(account=account_id).values_list("pk", "name"))
    figures, is_test = statement.figures, environment == Environment.TEST

    def write(cents: int) -> str:
        return amount(cents, figures.currency)

    return {
        "title": "Account statement",
        "issuer": ISSUER,
        "account": (account.sandbox_of or account).name,
        "month": month_in_words(statement.month),
        "test": "TEST" if is_test else "",
        "test_note": "The ledger of a test environment: no money was moved." if is_test else "",
        "preliminary": "" if statement.closed else f"Preliminary, as of {instant_in_words(now)}",
        "facts": [
            f"Account {account.shown_id}. All amounts are in {figures.currency}, all times in UTC.",
            PERIOD,
            "Closed: final since one hour after the month's end."
            if statement.closed
            else "The month is not closed: its figures are final one hour after its end.",
        ],
        "currency": figures.currency,
        "figures": [*figures_of(statement, write)],
        "groups": [
            grouped("By product", "Product", statement.by_product, "No booking", PRODUCTS, write),
            grouped("By API key", "API key", statement.by_key, "No key", keys, write),
        ]
        if statement.by_product
        else [],
        "lines": {
            "head": ["Time", "Type", "For", "Available", "Held", "Balance after"],
            "lines": [line_of(line, write) for line in lines],
        },
        "more": lines_in_words(figures.line_count, len(lines)),
        "closing": CLOSING,
    }


def amount(cents: int, currency: str) -> str:
    """`−1,234.50`, with as many decimals as the currency has."""
    return f"{to_major(cents, currency):,.{exponent(currency)}f}".replace("-", "\N{MINUS SIGN}")


def month_in_words(month: Month) -> str:
    """`November 2026`."""
    return f"{MONTHS['en'].split()[month.first.month - 1]} {month.first.year}"


def instant_in_words(moment: datetime) -> str:
    """`28 November 2026, 18:03 UTC`."""
    here = moment.astimezone(UTC)
    return f"{words_in('en').short_day(here.date())}, {here:%H:%M} UTC"


def figures_of(statement: Statement, write: Write) -> Iterable[tuple[str, str, str]]:
    """Label, amount, and whether it is a `sum`, a `step` from one to the next, or a `part` of the sum above it."""
    figures = statement.figures
    yield "Opening balance", write(figures.opening_cents), "sum"
    yield "Top-ups", write(figures.top_ups_cents), "step"
    yield "Paid for bookings", write(-figures.captured_cents), "step"
    yield "Refunded", write(figures.refunded_cents), "step"
    yield "Adjustments", write(figures.adjustments_cents), "step"
    yield "Closing balance" if statement.closed else "Balance now", write(figures.closing_cents), "sum"
    yield "of which held for bookings", write(figures.held_cents), "part"
    yield "of which available", write(figures.closing_cents - figures.held_cents), "part"


def grouped(
    title: str, column: str, groups: list[Group], otherwise: str, names: dict[str, str], write: Write
) -> dict[str, object]:
    return {
        "title": title,
        "head": [column, "Paid", "Refunded"],
        "lines": [
            (
                names.get(group.name, group.name) if group.name is not None else otherwise,
                write(group.captured_cents),
                write(group.refunded_cents),
            )
            for group in groups
        ],
    }


def line_of(line: LedgerTransaction, write: Write) -> tuple[str, ...]:
    return (
        f"{line.created_at.astimezone(UTC):%d %b %H:%M}",
        line.get_type_display().capitalize(),
        line.booking_reference or line.description,
        write(line.amount_cents),
        write(line.held_delta_cents),
        write(line.available_after_cents + line.held_after_cents),
    )


def lines_in_words(count: int, printed: int) -> str:
    if count == 0:
        return "There were no movements in this month."
    if count > printed:
        return f"The first {printed:,} of {count:,} lines. The CSV of this statement has all of them."
    return "1 line." if count == 1 else f"{count:,} lines."
