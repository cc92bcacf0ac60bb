"""Suppliers that charge in another currency than the account's: adapters speak the supplier's own, and it is converted here,
with the stored rate of the day it was quoted. That rate goes with the offer, and then with the booking to its end.
"""
