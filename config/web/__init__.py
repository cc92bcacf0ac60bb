"""The web server: reads each request whole, with a deadline, before a thread of the service is given to it.

gunicorn owns the processes (start, signals, replacement), llhttp (`httptools`) reads HTTP/1.1. What is ours is what neither
has: deadlines and least rates for headers, body and answer (`connection.py`, `server.py`), one strict reading of a request
(`reading.py`), and shares of the threads (`shares.py`). docs/web-server.md says what was measured, and why.
"""
