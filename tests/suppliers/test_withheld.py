from apps.suppliers.results import Found, Withheld


def test_counts_add_up_reason_by_reason() -> None:
    assert Withheld(1, 2, 3, 4) + Withheld(10, 20, 30, 40) == Withheld(11, 22, 33, 44)


def test_what_is_over_is_counted_beside_what_was_withheld_before() -> None:
    sold = Found([1, 2, 3], Withheld(unreadable=1)).still_sold(lambda offer: offer > 1)
    assert (sold, sold.withheld) == ([1], Withheld(no_longer_sold=2, unreadable=1))
