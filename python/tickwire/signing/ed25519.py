"""Ed25519 (RFC 8032). Uses `cryptography` if it is installed, and otherwise plain Python, which takes a few milliseconds per
signature and is not protected against timing attacks: do not let strangers measure how long it signs.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Optional, Tuple

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = Tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, x·y = T/Z."""
NEUTRAL: Point = (0, 1, 1, 0)


def _load() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519

        return ed25519
    except Exception:  # Also if it is installed and broken.
        return None


_library: Any = _load()


def uses_cryptography() -> bool:
    """Whether the `cryptography` package does the work."""
    return _library is not None


def public_key_of(seed: bytes) -> bytes:
    """The public key (32 bytes) of a private key (32 bytes)."""
    if _library is not None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = _library.Ed25519PrivateKey.from_private_bytes(seed).public_key()
        return bytes(key.public_bytes(Encoding.Raw, PublicFormat.Raw))
    return plain_public_key_of(seed)


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature (64 bytes) of a message."""
    if _library is not None:
        return bytes(_library.Ed25519PrivateKey.from_private_bytes(seed).sign(message))
    return plain_sign(seed, message)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is that of the key. False for a key that is no point of the curve."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    if _library is not None:
        try:
            _library.Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
            return True
        except Exception:
            return False
    return plain_verify(public_key, signature, message)


def _add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _double(p: Point) -> Point:
    a = p[0] * p[0] % P
    b = p[1] * p[1] % P
    c = 2 * p[2] * p[2] % P
    h = a + b
    e = h - (p[0] + p[1]) ** 2 % P
    g = a - b
    f = c + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _multiply(scalar: int, point: Point) -> Point:
    result = NEUTRAL
    for bit in bin(scalar)[2:]:
        result = _double(result)
        if bit == "1":
            result = _add(result, point)
    return result


def _recover_x(y: int, sign: int) -> Optional[int]:
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * SQRT_MINUS_1 % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def _base() -> Point:
    y = 4 * pow(5, P - 2, P) % P
    x = _recover_x(y, 0) or 0
    return (x, y, 1, x * y % P)


BASE = _base()


@lru_cache(maxsize=1)
def _powers_of_base() -> Tuple[Point, ...]:
    powers = [BASE]
    for _ in range(252):
        powers.append(_double(powers[-1]))
    return tuple(powers)


def _multiply_base(scalar: int) -> Point:
    result = NEUTRAL
    for bit, power in zip(bin(scalar)[:1:-1], _powers_of_base()):
        if bit == "1":
            result = _add(result, power)
    return result


def _encode(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@lru_cache(maxsize=1_024)
def _decode(data: bytes) -> Optional[Point]:
    number = int.from_bytes(data, "little")
    y = number & ((1 << 255) - 1)
    x = _recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def _secret(seed: bytes) -> Tuple[int, bytes]:
    if len(seed) != 32:
        raise ValueError("a private key has 32 bytes")
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return (scalar & ((1 << 254) - 8)) | 1 << 254, digest[32:]


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def plain_public_key_of(seed: bytes) -> bytes:
    """`public_key_of` in plain Python."""
    return _encode(_multiply(_secret(seed)[0], BASE))


def plain_sign(seed: bytes, message: bytes) -> bytes:
    """`sign` in plain Python."""
    scalar, prefix = _secret(seed)
    public = _encode(_multiply(scalar, BASE))
    r = _hash(prefix, message)
    commitment = _encode(_multiply_base(r))
    s = (r + _hash(commitment, public, message) * scalar) % ORDER
    return commitment + s.to_bytes(32, "little")


def plain_verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """`verify` in plain Python."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, commitment = _decode(public_key), _decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or s >= ORDER:
        return False
    left = _multiply_base(s)
    right = _add(commitment, _multiply(_hash(signature[:32], public_key, message), key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
