from apps.bookings.management.commands.poll_suppliers import Command

__all__ = ["Command"]  # the former name of `poll_suppliers`, which operators' scripts may call
