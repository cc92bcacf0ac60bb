"""Sending to addresses a partner chose, without being sent where the partner must not reach.

`target` parses the URL, `resolver` looks the name up once, `addresses` says what is public, `connecting`
opens a connection to a checked address, `exchange` speaks over it, `pool` keeps it for the next one, `client`
puts them together.
"""
