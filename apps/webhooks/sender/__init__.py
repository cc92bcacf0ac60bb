"""Sending to addresses that partners chose, without being sent where a partner must not reach.

`target` parses the URL, `client` posts to it, `certificates` reads the day on which a refused certificate expired. How a
connection is opened, bounded and kept is `apps.common.outbound`.
"""
