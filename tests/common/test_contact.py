from apps.common import contact


def test_texts_do_well_without_an_address(settings):
    settings.SUPPORT_EMAIL = settings.TOP_UP_INSTRUCTIONS = ""
    assert contact.ask() == "ask the people who run this service"
    assert contact.tell() == "tell us"
    assert contact.top_up_instructions() == (
        "To top up, ask the people who run this service: they tell you where to transfer the money."
    )


def test_texts_name_the_address(settings):
    settings.SUPPORT_EMAIL, settings.TOP_UP_INSTRUCTIONS = "help@example.com", "IBAN X\nReference: your name"
    assert contact.ask() == "write to help@example.com"
    assert contact.tell() == "tell us at help@example.com"
    assert contact.top_up_instructions() == "IBAN X\nReference: your name"
