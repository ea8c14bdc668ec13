"""Primitives of Uuid (stdlib.md 4.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.octets import value_of_octets
from lang.stdlib.results import failure
from lang.stdlib.services import services_of
from lang.stdlib.uuids import BtUuid, random_uuid, timed_uuid, uuid_from_text

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

UUID = PrimitiveTable("Uuid")


@UUID.runtime_primitive("v4", class_side=True)
def version_4(runtime: Runtime, _self: object) -> BtUuid:
    return random_uuid(services_of(runtime).random.randbytes(16))


@UUID.runtime_primitive("v7", class_side=True)
def version_7(runtime: Runtime, _self: object) -> BtUuid:
    services = services_of(runtime)
    return timed_uuid(services.wall_clock() // 1_000_000, services.random.randbytes(10))


@UUID.runtime_primitive("fromString:", class_side=True)
def from_string(runtime: Runtime, _self: object, text: object) -> object:
    found = uuid_from_text(expect.text(text, "Uuid", "fromString:"))
    if found is None:
        return failure(runtime, "parse_error", "Uuid", "fromString:")
    return runtime.make_result_ok(found)


@UUID.primitive("isValid:", class_side=True)
def is_valid(_self: object, text: object) -> bool:
    return uuid_from_text(expect.text(text, "Uuid", "isValid:")) is not None


@UUID.primitive("asString")
def as_string(self: BtUuid) -> str:
    return self.text


@UUID.primitive("asBinary")
def as_binary(self: BtUuid) -> object:
    return value_of_octets(self.octets)


@UUID.primitive("version")
def version(self: BtUuid) -> int:
    return self.version


@UUID.primitive("printString")
def print_string(self: BtUuid) -> str:
    return f"Uuid({self.text})"


@UUID.primitive("<")
def less(self: BtUuid, other: object) -> bool:
    return self.octets < _octets(other, "<")


@UUID.primitive(">")
def greater(self: BtUuid, other: object) -> bool:
    return self.octets > _octets(other, ">")


@UUID.primitive("<=")
def less_or_equal(self: BtUuid, other: object) -> bool:
    return self.octets <= _octets(other, "<=")


@UUID.primitive(">=")
def greater_or_equal(self: BtUuid, other: object) -> bool:
    return self.octets >= _octets(other, ">=")


def _octets(other: object, selector: str) -> bytes:
    if not isinstance(other, BtUuid):
        raise expect.type_error("Uuid", selector, "Expected a Uuid")
    return other.octets
