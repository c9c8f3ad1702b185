"""Verification of the signal log by docs/reference/signals.md. It shares no code with the service."""

from .track_record import PublisherReport, verify_publisher
from .findings import Finding, NotProved
from .verification import VerifyReport, averify_log, verify_log

__all__ = ["Finding", "NotProved", "PublisherReport", "VerifyReport", "averify_log", "verify_log", "verify_publisher"]
