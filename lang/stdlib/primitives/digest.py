"""Primitives of Digest (stdlib.md 4.17)."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib.blocking import run_sized
from lang.stdlib.octets import octets_of, value_of_octets

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

DIGEST = PrimitiveTable("Digest")


@DIGEST.runtime_primitive("sha256:", class_side=True)
def sha256(runtime: Runtime, _self: object, content: object) -> object:
    octets = octets_of(content, "Digest", "sha256:")
    return value_of_octets(run_sized(runtime, len(octets), lambda: hashlib.sha256(octets).digest()))


@DIGEST.runtime_primitive("sha512:", class_side=True)
def sha512(runtime: Runtime, _self: object, content: object) -> object:
    octets = octets_of(content, "Digest", "sha512:")
    return value_of_octets(run_sized(runtime, len(octets), lambda: hashlib.sha512(octets).digest()))


@DIGEST.runtime_primitive("md5:", class_side=True)
def md5(runtime: Runtime, _self: object, content: object) -> object:
    octets = octets_of(content, "Digest", "md5:")
    return value_of_octets(run_sized(runtime, len(octets), lambda: hashlib.md5(octets).digest()))


@DIGEST.primitive("hmacSha256:key:", class_side=True)
def hmac_sha256(_self: object, content: object, key: object) -> object:
    return _hmac(content, key, "sha256", "hmacSha256:key:")


@DIGEST.primitive("hmacSha512:key:", class_side=True)
def hmac_sha512(_self: object, content: object, key: object) -> object:
    return _hmac(content, key, "sha512", "hmacSha512:key:")


def _hmac(content: object, key: object, algorithm: str, selector: str) -> object:
    octets, secret = octets_of(content, "Digest", selector), octets_of(key, "Digest", selector)
    return value_of_octets(hmac.new(secret, octets, algorithm).digest())
