"""Primitives of TranscriptStream (stdlib.md 3.23).

They run where they are sent from: the log is the image's, not the actor's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import transcript_text
from lang.stdlib.running import running_process, send_raw_to
from lang.stdlib.transcripts import log_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

TRANSCRIPT_STREAM = PrimitiveTable("TranscriptStream")


@TRANSCRIPT_STREAM.runtime_primitive("show:")
def show(runtime: Runtime, self: object, value: object) -> object:
    log_of(runtime).write(transcript_text(runtime, value))
    return self


@TRANSCRIPT_STREAM.runtime_primitive("cr")
def cr(runtime: Runtime, self: object) -> object:
    log_of(runtime).write("\n")
    return self


@TRANSCRIPT_STREAM.runtime_primitive("subscribe")
def subscribe(runtime: Runtime, self: object) -> object:
    process = running_process(runtime)
    if process is not None:
        log_of(runtime).subscribe(process, lambda piece: send_raw_to(runtime, process, piece))
    return self


@TRANSCRIPT_STREAM.runtime_primitive("unsubscribe")
def unsubscribe(runtime: Runtime, self: object) -> object:
    log_of(runtime).unsubscribe(running_process(runtime))
    return self


@TRANSCRIPT_STREAM.runtime_primitive("recent")
def recent(runtime: Runtime, _self: object) -> BtList:
    return list_from(log_of(runtime).recent())


@TRANSCRIPT_STREAM.runtime_primitive("clear")
def clear(runtime: Runtime, self: object) -> object:
    log_of(runtime).clear()
    return self
