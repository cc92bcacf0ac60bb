"""The request log: every /v1 call of the last 30 days, for the owner of the key that it was made with.

When a call ends, its record is made (`records`), with its bodies redacted (`redaction`). A thread of the process (`writer`)
writes the records to PostgreSQL, where the pages read them (`selectors`). No call waits for the database. While too many records
wait, further ones are dropped and counted (`LostCalls`). A process that is killed loses the records of its last half second.

A call without a recognised key belongs to no account. The log keeps a few of those a second, for staff.
"""
