"""Primitives of Digest (stdlib.md 4.17)."""

from __future__ import annotations

import hashlib
import hmac

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib.octets import octets_of, value_of_octets

DIGEST = PrimitiveTable("Digest")


@DIGEST.primitive("sha256:", class_side=True)
def sha256(_self: object, content: object) -> object:
    return value_of_octets(hashlib.sha256(octets_of(content, "Digest", "sha256:")).digest())


@DIGEST.primitive("sha512:", class_side=True)
def sha512(_self: object, content: object) -> object:
    return value_of_octets(hashlib.sha512(octets_of(content, "Digest", "sha512:")).digest())


@DIGEST.primitive("md5:", class_side=True)
def md5(_self: object, content: object) -> object:
    return value_of_octets(hashlib.md5(octets_of(content, "Digest", "md5:")).digest())


@DIGEST.primitive("hmacSha256:key:", class_side=True)
def hmac_sha256(_self: object, content: object, key: object) -> object:
    return _hmac(content, key, "sha256", "hmacSha256:key:")


@DIGEST.primitive("hmacSha512:key:", class_side=True)
def hmac_sha512(_self: object, content: object, key: object) -> object:
    return _hmac(content, key, "sha512", "hmacSha512:key:")


def _hmac(content: object, key: object, algorithm: str, selector: str) -> object:
    octets, secret = octets_of(content, "Digest", selector), octets_of(key, "Digest", selector)
    return value_of_octets(hmac.new(secret, octets, algorithm).digest())
