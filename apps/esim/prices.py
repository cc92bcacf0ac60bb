"""What a plan costs a partner: the supplier's price in the account's currency.

The rates are the simulators' fixed ones, so that the same plan costs the same in every process and on every day. This function
is the one place that knows of a rate.
"""

from apps.common import money
from apps.suppliers.simulation.exchange import RATES


def in_currency(cents: int, supplier_currency: str, currency: str) -> int:
    """`cents` of the supplier's currency in minor units of `currency`, rounded half up, one at least for what is not free.

    A currency without a rate counts as a euro, as everywhere in the sandbox.
    """
    if supplier_currency == currency or cents == 0:
        return cents
    euros = money.to_major(cents, supplier_currency) / RATES.get(supplier_currency, RATES["EUR"])
    return max(1, money.to_cents(euros * RATES.get(currency, RATES["EUR"]), currency))
