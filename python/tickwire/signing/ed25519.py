"""Ed25519 (RFC 8032) with the `cryptography` package, which is needed only to sign and to verify."""

from __future__ import annotations

from typing import Any


def public_key_of(seed: bytes) -> bytes:
    """The public key (32 bytes) of a private key (32 bytes)."""
    key = _library().Ed25519PrivateKey.from_private_bytes(seed).public_key()
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature (64 bytes) of a message."""
    return bytes(_library().Ed25519PrivateKey.from_private_bytes(seed).sign(message))


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is that of the key. False for a key that is no point of the curve."""
    library = _library()
    from cryptography.exceptions import InvalidSignature

    try:
        library.Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _library() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ImportError(
            "signatures need cryptography: pip install 'tickwire[verify]'", name="cryptography"
        ) from error
    return ed25519
