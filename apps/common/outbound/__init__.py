"""How the service speaks HTTP to others: to suppliers, and to the addresses that partners chose for their webhooks.

Nothing but sockets lies below: httpcore and urllib3 were measured, and would send 40 % fewer webhooks with the same processor
time. The package has one deadline over a whole exchange, from the name look-up to the last byte (`deadline.py`,
`timed_socket.py`), a check of each address before it is connected to (`connecting.py`, `addresses.py`), whether anything was sent
(`http_exchange.py`), a reader of answers that odd headers do not confuse (`answer.py`), a limit to what is read
(`timed_socket.py`, `body.py`), and idle connections that are kept only if nothing is left to read on them (`pool.py`).
"""
