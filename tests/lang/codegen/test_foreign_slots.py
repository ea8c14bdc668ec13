"""`other.x := e` with an object that is not self: the checks warn, and it fails when it runs (language.md 5.2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from tests.lang.codegen.image import Image

CLASSES = """Value subclass: Pair
  field: x = 1

  poke: other =>
    other.x := 5
    other x
"""


def test_a_slot_of_another_object_is_never_assigned(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.load(CLASSES)
    with pytest.raises(BeamtalkError) as raised:
        image.run("Pair new poke: Pair new")
    assert raised.value.kind == "immutable_value"
    assert raised.value.message == "Cannot assign to 'x' of Pair: objects cannot mutate others' state"
