"""Background tasks of the portal."""

from celery import shared_task
from django.core.management import call_command

from apps.gateway.periodic import Tally
from apps.portal.notifications.low_balance import report_low_balances
from apps.portal.notifications.tell import tell_troubles
from apps.portal.sign_in import audit, password_reset


@shared_task
def forget_ended_sessions() -> None:
    call_command("clearsessions")


@shared_task
def mail_reset_link(email: str, address: str) -> None:
    """Mail the link to the user of `email`, if there is one. `address` is the IP address that asked for it."""
    user = password_reset.mail_link(email)
    if user is not None:
        audit.record_reset_link(user, address)


@shared_task(name="portal.tell_troubles")
def tell_members() -> Tally:
    """Called by beat: mail what members have chosen to be notified of, once each."""
    tally = Tally()
    report_low_balances(tally=tally)  # a mail follows its event in the same run, before another fall
    tell_troubles(tally=tally)
    return tally


@shared_task(name="portal.report_low_balances")
def report_balances() -> Tally:
    """Called by beat: write `balance.low` for every balance that fell below what its account warns at."""
    tally = Tally()
    report_low_balances(tally=tally)
    return tally
