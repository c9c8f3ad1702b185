"""Verification of the signal log in plain Python, by docs/signals.md."""

from .track_record import PublisherReport, verify_publisher
from .verification import Finding, VerifyReport, averify_log, verify_log

__all__ = ["Finding", "PublisherReport", "VerifyReport", "averify_log", "verify_log", "verify_publisher"]
