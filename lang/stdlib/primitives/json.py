"""Primitives of Json (stdlib.md 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.blocking import run_sized
from lang.stdlib.json_text import BadJson, JsonWriter, read_json
from lang.stdlib.results import failure

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

JSON = PrimitiveTable("Json")


@JSON.runtime_primitive("parse:", class_side=True)
def parse(runtime: Runtime, _self: object, text: object) -> object:
    source = expect.text(text, "Json", "parse:")
    try:
        # In a thread where it takes longer than a slice: the two then take turns (actors.md 21.3).
        return runtime.make_result_ok(run_sized(runtime, len(source) * 8, lambda: read_json(source)))
    except BadJson:
        return failure(runtime, "parse_error", "Json", "parse:")


@JSON.runtime_primitive("generate:", class_side=True)
def generate(runtime: Runtime, _self: object, value: object) -> str:
    return JsonWriter(runtime, "generate:", None).text_of(value)


@JSON.runtime_primitive("prettyPrint:", class_side=True)
def pretty_print(runtime: Runtime, _self: object, value: object) -> str:
    return JsonWriter(runtime, "prettyPrint:", "  ").text_of(value)
