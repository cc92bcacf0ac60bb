"""What an exam sends, and what the answers mean."""

from apps.webhooks.exams import BY_NAME, Grade, Sent, grade, grades_of


def sent(status: int | None, *, error: str = "", code: str | None = None, took: int = 20) -> Sent:
    refused = "" if status is not None and 200 <= status <= 299 else "status"
    return Sent(
        status_code=status,
        duration_ms=took,
        error_code=refused if code is None else code,
        error=error,
        response_body="",
        headers={},
        body="{}",
    )


def test_only_the_ordinary_delivery_is_timed() -> None:
    late = sent(200, took=5_001)
    assert grade(BY_NAME["unknown_type"], [late]) == Grade(True, "answered 200")
    slow = grade(BY_NAME["slow"], [late])
    assert (slow.passed, slow.said) == (False, "answered 200 after 5.0 s")
    assert slow.fix.startswith("Respond as soon as the event is verified and stored")
    assert "202" in slow.code_line
    assert grade(BY_NAME["slow"], [sent(204, took=5_000)]) == Grade(True, "answered 204 within 5,000 ms")


def test_of_several_requests_the_one_that_went_wrong_is_named() -> None:
    found = grade(BY_NAME["duplicate"], [sent(200), sent(409)])
    assert found.said == "request 2 of 2: answered 409"
    assert found.code_line == 'if event["id"] in seen: return "", 200'
    assert grade(BY_NAME["duplicate"], [sent(200), sent(202)]) == Grade(
        True, "answered 200, then answered 202"
    )


def test_no_answer_is_told_in_its_own_words() -> None:
    late = grade(BY_NAME["bad_signature"], [sent(200, code="timeout", error="no answer within 10 s")])
    assert (late.passed, late.said) == (False, "no answer within 10 s")
    assert late.fix.startswith("Respond as soon as")
    away = grade(
        BY_NAME["bad_signature"], [sent(None, code="connection_refused", error="connection refused")]
    )
    assert (away.passed, away.said) == (False, "connection refused")
    assert away.fix != ""


def result(case: str, status: int) -> dict[str, object]:
    each = sent(status)
    return {"case": case, "sends": [{name: getattr(each, name) for name in Sent.__slots__}]}


def test_of_a_receiver_that_refuses_an_ordinary_delivery_other_refusals_say_nothing() -> None:
    results = [result("slow", 401), result("unknown_type", 401), result("bad_signature", 401)]
    found = grades_of(results)
    assert found["slow"].fix.startswith("This was an ordinary delivery with a valid signature.")
    assert found["unknown_type"] == Grade(
        False, "answered 401", "It also rejects an ordinary delivery: fix that first."
    )
    assert found["bad_signature"] == Grade(True, "answered 401")
    accepted = grades_of([result("slow", 200), results[1]])
    assert accepted["unknown_type"].fix.startswith("Respond with 2xx to a type that you do not know")
