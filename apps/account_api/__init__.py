"""GET /v1/account, its ledger and its usage. It composes what accounts, keys, gateway and ledger know, and has no models."""
