"""Method dictionaries that are made when somebody looks."""

from __future__ import annotations

import threading
import time

from lang.runtime.on_demand import MethodsOnDemand, Once
from tests.lang.codegen.image import Image


def test_a_value_is_made_once_whichever_threads_ask() -> None:
    made: list[int] = []

    def make() -> int:
        time.sleep(0.01)
        made.append(1)
        return len(made)

    once = Once(make)
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(once.value())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [1] * 8


def test_a_dictionary_is_made_by_its_first_question() -> None:
    image = Image()
    looked: list[int] = []
    method = image.runtime.existing_class("Object").definition.methods["printString"]

    def find() -> dict[str, object]:
        looked.append(1)
        return {"printString": method}

    methods = MethodsOnDemand(find)  # type: ignore[arg-type]
    assert looked == []
    assert methods.get("printString") is methods["printString"] is method
    assert methods.get("nothing") is None
    assert methods.get("nothing", 1) == 1
    assert ("printString" in methods, "nothing" in methods, len(methods), list(methods)) == (
        True,
        False,
        1,
        ["printString"],
    )
    assert looked == [1]
