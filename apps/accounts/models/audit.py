"""The one audit trail: who did what to an account, its people, keys and endpoints. Not shown by the API (specification §5)."""

from django.db import models

from apps.accounts.models.account import Account
from apps.accounts.models.people import User
from apps.common import clock
from apps.common.ids import new_id


def new_audit_id() -> str:
    return new_id("aud")


class AuditAction(models.TextChoices):
    """`<group>.<what>`. The trail can be filtered by group."""

    MEMBER_INVITED = "team.invited"
    INVITATION_RESENT = "team.invitation_resent"
    INVITATION_WITHDRAWN = "team.invitation_withdrawn"
    MEMBER_JOINED = "team.joined"
    MEMBER_ADDED = "team.added"
    ROLE_CHANGED = "team.role_changed"
    MEMBER_REMOVED = "team.removed"
    KEY_CREATED = "keys.created"
    KEY_ROTATED = "keys.rotated"
    KEY_OLD_SECRETS_ENDED = "keys.old_secrets_ended"
    KEY_REVOKED = "keys.revoked"
    KEY_RENAMED = "keys.renamed"
    KEY_ALLOWED_IPS_CHANGED = "keys.allowed_ips_changed"
    KEY_SCOPES_CHANGED = "keys.scopes_changed"
    KEY_EXPIRY_CHANGED = "keys.expiry_changed"
    KEY_SPEND_LIMITS_CHANGED = "keys.spend_limits_changed"
    ENDPOINT_CREATED = "webhooks.created"
    ENDPOINT_CHANGED = "webhooks.changed"
    ENDPOINT_ENABLED = "webhooks.enabled"
    ENDPOINT_DISABLED = "webhooks.disabled"
    ENDPOINT_SECRET_ROTATED = "webhooks.secret_rotated"  # noqa: S105 - the name of a deed
    ENDPOINT_DELETED = "webhooks.deleted"
    SANDBOX_CLOCK_MOVED = "sandbox.clock_moved"
    ENDPOINT_EXAMINED = "webhooks.examined"
    ENDPOINT_SENT_SAMPLE = "webhooks.sample_sent"
    BOOKING_CANCELLED = "bookings.cancelled"
    BOOKING_PAID = "bookings.paid"
    BOOKING_APPROVED = "bookings.approved"
    BOOKING_DECLINED = "bookings.declined"
    STAY_CHANGED = "bookings.stay_changed"
    GUEST_CORRECTED = "bookings.guest_corrected"
    REFUND_REQUESTED = "bookings.refund_requested"
    REFUND_DECIDED = "bookings.refund_decided"
    ACCESS_REQUESTED = "access.requested"
    ACCESS_APPROVED = "access.approved"
    ACCESS_REFUSED = "access.refused"
    ACCESS_WITHDRAWN = "access.withdrawn"
    ACCESS_LAPSED = "access.lapsed"
    SANDBOX_OPENED = "sandbox.opened"
    SANDBOX_RENAMED = "sandbox.renamed"
    SANDBOX_RESET = "sandbox.reset"
    SANDBOX_FUNDED = "sandbox.funded"
    SANDBOX_CLOSED = "sandbox.closed"
    SANDBOX_STOPPED = "sandbox.stopped"
    SANDBOX_STARTED = "sandbox.started"
    BALANCE_WARNING_CHANGED = "account.balance_warning_changed"
    FOUR_EYES_CHANGED = "account.approval_four_eyes_changed"
    BRANDING_CHANGED = "account.branding_changed"
    CHAT_SET = "account.chat_set"
    CHAT_REMOVED = "account.chat_removed"
    STATUS_CHANGED = "account.status_changed"
    TERMS_CHANGED = "account.terms_changed"
    TRAVELLERS_ERASED = "bookings.travellers_erased"
    TRAVELLERS_FORGOTTEN = "bookings.travellers_forgotten"
    READ_BY_SUPPORT = "account.read_by_support"
    SIGNED_IN = "sign_in.signed_in"
    SIGNED_OUT = "sign_in.signed_out"
    SIGN_IN_FAILED = "sign_in.wrong_password"
    CODE_FAILED = "sign_in.wrong_code"
    RESET_LINK_SENT = "sign_in.reset_link_sent"
    PASSWORD_RENEWED = "sign_in.password_renewed"  # noqa: S105
    PASSWORD_CHANGED = "sign_in.password_changed"  # noqa: S105
    PASSWORD_RESET = "sign_in.password_reset"  # noqa: S105
    TWO_FACTOR_SET_UP = "sign_in.two_factor_set_up"
    TWO_FACTOR_REMOVED = "sign_in.two_factor_removed"
    PASSKEY_ADDED = "sign_in.passkey_added"
    PASSKEY_REMOVED = "sign_in.passkey_removed"
    RECOVERY_CODES_RENEWED = "sign_in.recovery_codes_renewed"
    ADDRESS_CHANGED = "sign_in.address_changed"
    SIGN_IN_SWITCHED_OFF = "sign_in.switched_off"
    SIGN_IN_SWITCHED_ON = "sign_in.switched_on"


class AccountAuditEntry(models.Model):
    """Appended and never changed: a trigger refuses that. Only the link to a deleted person is cut; the label stays."""

    id = models.CharField(primary_key=True, max_length=64, default=new_audit_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="audit_entries")
    environment = models.CharField(
        max_length=4, default="", help_text="test or live; empty: of the account as a whole"
    )
    action = models.CharField(max_length=40, help_text="An AuditAction")
    actor = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    actor_label = models.CharField(max_length=300, help_text="As the account's members read it")
    subject_type = models.CharField(max_length=20, default="")
    subject_id = models.CharField(max_length=64, default="")
    subject_name = models.CharField(max_length=2048, default="", help_text="What it was called at the time")
    details = models.JSONField(default=dict, help_text="No secret, no traveller")
    address = models.CharField(max_length=64, default="", help_text="Where the request came from")
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        verbose_name_plural = "account audit entries"
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="account_audit_newest_first"),
            models.Index(fields=["subject_id", "-created_at", "-id"], name="account_audit_by_subject"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(environment__in=["", "test", "live"]),
                name="account_audit_environment_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_id}".strip()

    @property
    def group(self) -> str:
        return self.action.partition(".")[0]
