"""The controls of the test environment. After all else, because the clock moves and the reset hides what came before."""

from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    stage.wait(seconds=31 * 86_400)
    stage.call("getSandboxClock", "real-time", "A clock that was never moved")
    rides = [call.answer.body for call in stage.calls if call.operation_id == "createTransferOrder"]
    ride = rides[-1]
    stage.call("simulateBooking", "cancelled", "The transfer company cancels an order", id=ride["id"])
    stage.call("advanceSandboxClock", "by-a-day", "Move the clock by a day")
    stage.call("addSandboxFunds", "funds", "Add 5,000.00 EUR")
    stage.call("setSandboxFaults", "faults", "Fail 10 % of the supplier calls, and lose 5 % of the responses")
    stage.call("getSandboxFaults", "faults", "The faults that are set")
    stage.call("resetSandbox", "reset", "Start again with an empty environment")
