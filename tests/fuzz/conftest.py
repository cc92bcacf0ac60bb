import pytest

from tests.fuzz import plan


def pytest_configure(config: pytest.Config) -> None:
    plan.asked_for = config.getoption("--fuzz-examples")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if plan.thorough() and plan.counted:
        terminalreporter.section("answers")
        for line in plan.lines():
            terminalreporter.write_line(line)
