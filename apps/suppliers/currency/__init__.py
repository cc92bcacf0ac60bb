"""Suppliers may charge in another currency than the account's. Adapters use the supplier's own currency, and amounts are
converted here, at the stored rate of the day of the quote. That rate is stored with the offer, and then with the booking to its
end.
"""
