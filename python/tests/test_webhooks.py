"""Webhooks: what the service signed passes, everything else does not."""

import base64
import hashlib
import hmac
import json
import time
import unittest
from typing import Any, Dict

from . import PYTHON  # noqa: F401

import tickwire

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
BODY = json.dumps({"type": "alert.fired", "data": {"note": "Größe €"}}, ensure_ascii=False)


def signed(body: str = BODY, secret: str = SECRET, offset: int = 0, **more: str) -> Dict[str, Any]:
    """Headers of a webhook."""
    at = str(int(time.time()) + offset)
    key = base64.b64decode(secret[len("whsec_"):])
    digest = hmac.new(key, f"msg_1.{at}.{body}".encode(), hashlib.sha256).digest()
    headers = {"webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": "v1," + base64.b64encode(digest).decode()}
    return {**headers, **more}


class Webhooks(unittest.TestCase):
    def test_matches_the_vector_of_the_specification(self) -> None:
        # From the tests of the Standard Webhooks libraries.
        at, body = 1614265330, '{"test": 2432232314}'
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": str(at),
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        real = time.time
        time.time = lambda: at + 299.0
        try:
            self.assertEqual(tickwire.verify_webhook(body, headers, SECRET), {"test": 2432232314})
        finally:
            time.time = real

    def test_accepts_text_and_bytes_and_headers_in_any_case(self) -> None:
        expected = json.loads(BODY)
        capital = {name.title(): value for name, value in signed().items()}
        self.assertEqual(tickwire.verify_webhook(BODY, signed(), SECRET), expected)
        self.assertEqual(tickwire.verify_webhook(BODY.encode(), capital, SECRET[len("whsec_"):]), expected)
        self.assertEqual(tickwire.verify_webhook(BODY, signed(), [OTHER, SECRET]), expected)
        several = {**signed(), "webhook-signature": f"v2,AAAA v1,AAAA v1,é {signed()['webhook-signature']}"}
        self.assertEqual(tickwire.verify_webhook(BODY, several, SECRET), expected)

    def test_refuses_everything_else(self) -> None:
        right = signed()
        for body, headers in (
            (BODY + " ", right),
            (BODY, {**right, "webhook-id": "msg_2"}),
            (BODY, signed(secret=OTHER)),
            (BODY, {**right, "webhook-signature": right["webhook-signature"].replace("v1,", "v2,")}),
            (BODY, {name: value for name, value in right.items() if name != "webhook-signature"}),
            (BODY, {**right, "webhook-timestamp": "now"}),
            (BODY, signed(offset=-302)),
            (BODY, signed(offset=302)),
        ):
            with self.assertRaises(tickwire.WebhookVerificationError):
                tickwire.verify_webhook(body, headers, SECRET)

    def test_says_pass_the_raw_body_for_one_that_was_parsed(self) -> None:
        parsed = json.loads(BODY)
        with self.assertRaisesRegex(TypeError, "pass the raw body"):
            tickwire.verify_webhook(parsed, signed(), SECRET)
        with self.assertRaisesRegex(tickwire.WebhookVerificationError, "pass the raw body"):
            tickwire.verify_webhook(json.dumps(parsed, indent=1), signed(), SECRET)

    def test_names_a_secret_that_cannot_be_one(self) -> None:
        for secret in ("", "whsec_", "whsec_ ?"):
            with self.assertRaises(ValueError):
                tickwire.verify_webhook(BODY, signed(), secret)


if __name__ == "__main__":
    unittest.main()
