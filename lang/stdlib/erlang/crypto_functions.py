"""`Erlang crypto`: digests and random bytes (stdlib.md 8)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from lang.stdlib.erlang.terms import BadArgument, ErlangModule, name, natural, octets
from lang.stdlib.octets import value_of_octets

CRYPTO = ErlangModule("crypto")
_ALGORITHMS: Final = {
    "sha": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha3_256": "sha3_256",
    "sha3_512": "sha3_512",
    "blake2b": "blake2b",
    "blake2s": "blake2s",
    "md5": "md5",
}
_MOST_RANDOM_BYTES: Final = 1 << 26


@CRYPTO.function("hash")
def digest(algorithm: object, content: object) -> object:
    return value_of_octets(hashlib.new(_algorithm(algorithm), octets(content)).digest())


@CRYPTO.function("mac")
def message_code(kind: object, algorithm: object, key: object, content: object) -> object:
    if name(kind) != "hmac":
        raise BadArgument("Only #hmac is available")
    return value_of_octets(hmac.new(octets(key), octets(content), _algorithm(algorithm)).digest())


@CRYPTO.function("strong_rand_bytes")
def random_bytes(count: object) -> object:
    if natural(count) > _MOST_RANDOM_BYTES:
        raise BadArgument("So many bytes are not given at once")
    return value_of_octets(secrets.token_bytes(natural(count)))


@CRYPTO.function("hash_equals")
def are_equal(one: object, two: object) -> bool:
    """In a time that does not depend on where they differ; both of one size."""
    if len(octets(one)) != len(octets(two)):
        raise BadArgument("The digests are of different sizes")
    return hmac.compare_digest(octets(one), octets(two))


@CRYPTO.function("exor")
def exclusive_or(one: object, two: object) -> object:
    left, right = octets(one), octets(two)
    if len(left) != len(right):
        raise BadArgument("The Binaries are of different sizes")
    return value_of_octets(bytes([a ^ b for a, b in zip(left, right, strict=True)]))


def _algorithm(value: object) -> str:
    found = _ALGORITHMS.get(name(value))
    if found is None:
        raise BadArgument(f"Expected one of {', '.join('#' + each for each in _ALGORITHMS)}")
    return found
