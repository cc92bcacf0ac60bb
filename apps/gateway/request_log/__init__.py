"""The request log: every /v1 call of the last 30 days, for those who own the key it was made with.

A call puts a draft into memory (`draft`, `buffer`), with its bodies redacted (`redaction`, `allow_list`). A thread of the process
(`writer`) makes the entries (`entry`) and writes them to PostgreSQL (`rows`), where the pages read them (`selectors`). No call
waits for more than its draft: a call that finds no room on the way is dropped and counted (`LostCalls`). A process that is killed
loses the calls of its last half second.

A call whose key is nobody's belongs to no account. The log keeps a few of those a second, for the staff.
"""
