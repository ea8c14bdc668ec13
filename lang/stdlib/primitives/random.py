"""Primitives of Random (stdlib.md 4.11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.chance import BtRandom
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

RANDOM = PrimitiveTable("Random")


@RANDOM.runtime_primitive("next", class_side=True)
def next_number(runtime: Runtime, _self: object) -> float:
    return services_of(runtime).random.random()


@RANDOM.runtime_primitive("nextInteger:", class_side=True)
def next_integer(runtime: Runtime, _self: object, limit: object) -> int:
    return services_of(runtime).random.randint(1, _positive(limit))


@RANDOM.runtime_primitive("new", class_side=True)
def new(runtime: Runtime, _self: object) -> BtRandom:
    return BtRandom(services_of(runtime).random.getrandbits(64))


@RANDOM.primitive("seed:", class_side=True)
def seed(_self: object, number: object) -> BtRandom:
    return BtRandom(expect.integer(number, "Random", "seed:"))


@RANDOM.primitive("next")
def snapshot_next(self: BtRandom) -> float:
    return self.generator().random()


@RANDOM.primitive("nextInteger:")
def snapshot_next_integer(self: BtRandom, limit: object) -> int:
    return self.generator().randint(1, _positive(limit))


def _positive(limit: object) -> int:
    number = expect.integer(limit, "Random", "nextInteger:")
    if number <= 0:
        raise expect.type_error("Random", "nextInteger:", "Expected a positive Integer")
    return number
