"""How the service speaks HTTP to others: to suppliers, and to the addresses that partners chose for their webhooks.

`http.client.HTTPResponse` of the standard library reads the answers, from a socket of ours: httpcore and urllib3 were measured,
and would send 40 % fewer webhooks with the same processor time. This room adds what the library does not have: one deadline
over a whole exchange, from the name look-up to the last byte (`deadline.py`, `timed_socket.py`), a check of each address before
it is connected to (`connecting.py`, `addresses.py`), whether anything was sent (`http_exchange.py`), a limit to what is read
(`timed_socket.py`, `body.py`), and idle connections that are kept only where nothing is left to read on them (`pool.py`).
"""
