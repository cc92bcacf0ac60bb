from django.apps import AppConfig
from django.conf import settings


class JudgeConfig(AppConfig):
    """Makes the judge at JUDGE_URL the simulator of this process."""

    name = "tests.judge"

    def ready(self) -> None:
        from tests.judge.client import use_judge

        use_judge(settings.JUDGE_URL)
