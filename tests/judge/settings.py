"""The settings as they run, with the simulators replaced by a judge: for processes that tests start (JUDGE_URL)."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, env

INSTALLED_APPS = [*INSTALLED_APPS, "tests.judge.apps.JudgeConfig"]
JUDGE_URL = env.str("JUDGE_URL")
