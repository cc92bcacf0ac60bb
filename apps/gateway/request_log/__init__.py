"""The request log: every /v1 call of the last 30 days, for those who own the key it was made with.

A call leaves its entry, redacted (`entry`, `reasons`, `redaction`), in memory (`buffer`) and does nothing more; a thread of the
process (`writer`) hands entries over to Redis (`stream`); a worker moves them to PostgreSQL (`drain`), where the pages read them
(`selectors`). No call ever waits for any of this: what finds no room on the way is dropped, and counted (`LostCalls`).

A call whose key is nobody's belongs to no account. Of those a few a second are kept, for the staff.
"""
