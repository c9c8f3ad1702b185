"""Canonical JSON, Ed25519 and signatures."""

import hashlib
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from . import PYTHON  # noqa: F401

import tickwire
from tickwire.signing import ed25519
from tickwire.signing.canonical_json import canonical_json, number_text
from tickwire.signing.signer import iso_time

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Number of points of the group; scalars are smaller."""
# RFC 8032, section 7.1: private key, public key, message, signature.
VECTORS = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
)


class Ed25519(unittest.TestCase):
    def test_matches_the_vectors_of_the_standard(self) -> None:
        for seed, public, message, signature in VECTORS:
            key, text = bytes.fromhex(seed), bytes.fromhex(message)
            self.assertEqual(ed25519.public_key_of(key).hex(), public)
            self.assertEqual(ed25519.sign(key, text).hex(), signature)
            self.assertTrue(ed25519.verify(bytes.fromhex(public), bytes.fromhex(signature), text))

    def test_changed_messages_keys_and_signatures_are_rejected(self) -> None:
        _, public, message, signature = VECTORS[2]
        key, text, signed = bytes.fromhex(public), bytes.fromhex(message), bytearray(bytes.fromhex(signature))
        self.assertFalse(ed25519.verify(key, bytes(signed), text + b"x"))
        self.assertFalse(ed25519.verify(b"\xff" * 32, bytes(signed), text))
        self.assertFalse(ed25519.verify(key[:31], bytes(signed), text))
        self.assertFalse(ed25519.verify(key, bytes(signed[:63]), text))
        for place in (0, 31, 32, 63):
            changed = bytearray(signed)
            changed[place] ^= 1
            self.assertFalse(ed25519.verify(key, bytes(changed), text))

    def test_a_signature_with_a_large_scalar_is_rejected(self) -> None:
        _, public, message, signature = VECTORS[1]
        signed = bytes.fromhex(signature)
        larger = signed[:32] + (int.from_bytes(signed[32:], "little") + ORDER).to_bytes(32, "little")
        self.assertFalse(ed25519.verify(bytes.fromhex(public), larger, bytes.fromhex(message)))


class Keys(unittest.TestCase):
    def test_a_key_survives_its_text_form(self) -> None:
        key = tickwire.SigningKey.create()
        self.assertEqual(tickwire.SigningKey.from_pem(key.to_pem()).public_key, key.public_key)
        self.assertNotIn(key.to_pem().split("\n")[1], repr(key))
        with self.assertRaises(ValueError):
            tickwire.SigningKey.from_pem("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----")

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_reads_the_keys_of_openssl(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "key.pem")
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(file)], check=True, capture_output=True)
            public = subprocess.run(
                ["openssl", "pkey", "-in", str(file), "-pubout", "-outform", "DER"], check=True, capture_output=True
            ).stdout
            self.assertEqual(tickwire.SigningKey.from_pem(file.read_text()).public_key, public[-32:].hex())

    def test_signs_every_field_that_was_sent(self) -> None:
        key = tickwire.SigningKey(bytes(range(32)))
        signer = tickwire.Signer("pub_1", key)
        request = {"symbol": "eurusd", "direction": "buy", "entry": 1.1, "stop_loss": 1.0, "take_profit": 1.2}
        signed = signer.publish({**request, "note": "ü", "expires_at": "2026-03-02T11:24:07Z"})
        mark = signed["signed"]
        text = canonical_json(
            {
                **request,
                "symbol": "EURUSD",
                "action": "publish",
                "publisher": "pub_1",
                "signed_at": mark["signed_at"],
                "expires_at": "2026-03-02T11:24:07.000Z",
                "note_sha256": hashlib.sha256("ü".encode()).hexdigest(),
            }
        )
        self.assertTrue(ed25519.verify(bytes.fromhex(key.public_key), bytes.fromhex(mark["signature"]), text.encode()))

    def test_each_signature_is_later_than_the_one_before(self) -> None:
        signer = tickwire.Signer("pub_1", tickwire.SigningKey.create())
        times = [signer.close("sig_1")["signed_at"] for _ in range(20)]
        self.assertEqual(times, sorted(set(times)))


class CanonicalJson(unittest.TestCase):
    def test_numbers_are_those_of_javascript(self) -> None:
        # RFC 8785, appendix B, and prices.
        for value, text in (
            (0.0, "0"),
            (-0.0, "0"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (9007199254740992.0, "9007199254740992"),
            (295147905179352830000.0, "295147905179352830000"),
            (1e21, "1e+21"),
            (9.999999999999997e22, "9.999999999999997e+22"),
            (1e23, "1e+23"),
            (333333333.3333333, "333333333.3333333"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (0.00012, "0.00012"),
            (1.08412, "1.08412"),
            (-2412.5, "-2412.5"),
            (100, "100"),
            (100.0, "100"),
            (123456789012345680.0, "123456789012345680"),
        ):
            self.assertEqual(number_text(value), text)
        for bad in (float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                number_text(bad)

    def test_members_are_sorted_by_utf_16_code_units(self) -> None:
        value = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
        self.assertEqual(list(json.loads(canonical_json(value)).values()), [2, 4, 6, 7, 1, 5, 3])

    def test_texts_are_escaped_as_javascript_does(self) -> None:
        self.assertEqual(canonical_json('a"\\\n\x0f\u2028ü'), '"a\\"\\\\\\n\\u000f\u2028ü"')
        with self.assertRaises(ValueError):
            canonical_json("\ud800")
        with self.assertRaises(ValueError):
            canonical_json({"a": object()})

    def test_times_are_those_of_records(self) -> None:
        self.assertEqual(iso_time(1772450647318), "2026-03-02T11:24:07.318Z")
        self.assertEqual(tickwire.milliseconds("2026-03-02T11:24:07.318Z"), 1772450647318)
        self.assertEqual([tickwire.milliseconds(1772450647), tickwire.milliseconds(1772450647318)], [1772450647000, 1772450647318])
        self.assertEqual([tickwire.milliseconds("20260105"), tickwire.milliseconds("2026-01")], [1767571200000, 1767225600000])
        for wrong in ("2026", "20260230", "2026-02-30", "2026-13"):
            with self.assertRaises(ValueError):
                tickwire.milliseconds(wrong)


if __name__ == "__main__":
    unittest.main()
