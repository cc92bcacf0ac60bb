"""A partner platform as it is usually built: a Django project of its own, from DRF, its tokens and throttles, and the ORM.

It does what `make bench ARGS=peer` compares: read an account, search hotels and store the offers, book one. It has what such a
project usually has (bodies checked by serializers, tokens in the database, throttles in the cache, one transaction a request, an
Idempotency-Key for a booking) and not what it usually lacks: no request log, no audit, no quota, no ledger, no webhooks.
"""
