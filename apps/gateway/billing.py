"""Billing a search together with the answer that is stored under its Idempotency-Key."""

from django.db import connection

from apps.gateway.answer import Answer
from apps.gateway.idempotency import ANSWERED, IS_OWN, Claim
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner

# One statement, and so one round trip and one commit instead of four. The claim is locked first: another call cannot take it over
# meanwhile. Where it is lost, or the unit has lapsed, nothing is changed, and the caller finds out which of them it was.
BILL_AND_ANSWER = f"""
WITH own AS (
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


def bill_and_answer(partner: Partner, quota: Quota, product: str, claim: Claim, answer: Answer) -> bool:
    """Count one billable search and store its answer. False where another call has the key, or the unit has lapsed."""
    with connection.cursor() as cursor:
        cursor.execute(
            BILL_AND_ANSWER,
            {
                **claim.completion(answer),
                "unit": quota.unit,
                "account": partner.account_id,
                "environment": partner.environment,
                "day": quota.day,
                "product": product,
                "key": partner.key_id,
            },
        )
        done = bool(cursor.rowcount == 1)
    claim.finished = claim.finished or done
    return done
