"""Primitives of Queue (stdlib.md 4.3)."""

from __future__ import annotations

from lang.runtime.collections.lists import list_of
from lang.runtime.collections.queues import BtQueue
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable

QUEUE = PrimitiveTable("Queue")


@QUEUE.primitive("new", class_side=True)
def new(_self: object) -> BtQueue:
    return BtQueue(list_of([]))


@QUEUE.primitive("enqueue:")
def enqueue(self: BtQueue, element: object) -> BtQueue:
    return BtQueue(self.elements.appended(element))


@QUEUE.primitive("dequeue")
def dequeue(self: BtQueue) -> BtTuple:
    front = _front(self, "dequeue")
    return BtTuple((front, BtQueue(self.elements.sliced(1, len(self.elements)))))


@QUEUE.primitive("peek")
def peek(self: BtQueue) -> object:
    return _front(self, "peek")


@QUEUE.primitive("isEmpty")
def is_empty(self: BtQueue) -> bool:
    return not len(self.elements)


@QUEUE.primitive("size")
def size(self: BtQueue) -> int:
    return len(self.elements)


def _front(queue: BtQueue, selector: str) -> object:
    if not len(queue.elements):
        raise BeamtalkError("empty_queue", class_name="Queue", selector=selector)
    return queue.elements[0]
