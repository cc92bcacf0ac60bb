"""Billing a search together with its record and the answer that is stored under its Idempotency-Key."""

from functools import cache

from apps.common import sql
from apps.gateway.answer import Answer
from apps.gateway.idempotency import ANSWERED, IS_OWN, Claim
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner

# One statement, and so one round trip and one commit instead of five. The claim is locked first: another call cannot take it over
# meanwhile. Where it is lost, or the unit has lapsed, nothing is changed but the record, of which nobody is told, and the caller
# finds out which of them it was.
BILL_AND_ANSWER = f"""
WITH {{record}} own AS (
    SELECT id FROM gateway_idempotencyrecord WHERE {IS_OWN} FOR UPDATE
), unit AS (
    DELETE FROM gateway_searchunit WHERE id = %(unit)s AND EXISTS (SELECT FROM own) RETURNING id
), billed AS (
    INSERT INTO gateway_searchusage AS usage (account_id, environment, day, product, key_id, billable)
    SELECT %(account)s, %(environment)s, %(day)s, %(product)s, %(key)s, 1 FROM unit
    ON CONFLICT (account_id, environment, day, product, key_id) DO UPDATE SET billable = usage.billable + 1
)
{ANSWERED} WHERE id = %(claim)s AND EXISTS (SELECT FROM unit)
"""  # noqa: S608


@cache
def with_record(insert: str) -> str:
    """The statement with the INSERT of a product's record; without one where there is none."""
    return BILL_AND_ANSWER.format(record=f"record AS ({insert})," if insert else "")


def bill_and_answer(partner: Partner, quota: Quota, product: str, claim: Claim, answer: Answer) -> bool:
    """Write the record, count one billable search and store its answer.

    False where another call has the key, or the unit has lapsed. Then the record alone is written: in the second case the search
    may still be billed.
    """
    record = answer.record
    changed = sql.rows_changed(
        with_record(record.insert if record else ""),
        {
            **(record.parameters if record else {}),
            **claim.completion(answer),
            "unit": quota.unit,
            "account": partner.account_id,
            "environment": partner.environment,
            "day": quota.day,
            "product": product,
            "key": partner.key_id,
        },
    )
    done = changed == 1
    claim.finished = claim.finished or done
    return done
