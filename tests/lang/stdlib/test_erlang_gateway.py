"""The functions of the original host's gateway (stdlib.md 8): what each answers, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from lang.stdlib import gateway
from lang.stdlib.gateway import MODULES
from tests.lang.codegen.image import Image

CASES = Path(__file__).parent / "erlang_gateway.txt"
"""A line each: a module with its message, two blanks, an arrow, what is shown or the kind of the error."""

_CASE = re.compile(r"(?P<message>.+?)  => (?P<shown>.+)")


def cases() -> list[tuple[str, str]]:
    found = []
    for line in CASES.read_text("utf-8").splitlines():
        if line and not line.startswith("//"):
            matched = _CASE.fullmatch(line)
            assert matched is not None, line
            found.append((matched["message"], matched["shown"]))
    return found


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    made = Image(Path(tmp_path_factory.mktemp("library")))
    made.run("t2 := [:a :b | Tuple withAll: #(a, b)]. t3 := [:a :b :c | Tuple withAll: #(a, b, c)]")
    return made


def shown(image: Image, message: str) -> str:
    source = message if message.startswith("(") else f"Erlang {message}"
    try:
        return image.show(source)
    except BeamtalkError as error:
        return f"ERROR: {error.kind}"


@pytest.mark.parametrize(("message", "wanted"), cases())
def test_a_function_answers_as_on_the_original_host(image: Image, message: str, wanted: str) -> None:
    assert shown(image, message) == wanted


def test_every_function_has_a_case(image: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    find = gateway._function
    called = set()

    def noting(module: str, name: str, arity: int) -> object:
        called.add((module, name, arity))
        return find(module, name, arity)

    monkeypatch.setattr(gateway, "_function", noting)
    for message, _wanted in cases():
        shown(image, message)
    offered = {(module.name, name, arity) for module in MODULES for name, arity in module.names()}
    assert offered - called == set()


@pytest.mark.parametrize(
    "odd", ["nil", "7", "-1", "1.5", '"ab"', "#a", "#(1)", "#{}", "[:a | a]", "Object", "t2"]
)
def test_odd_arguments_are_refused_with_an_error_of_the_language(image: Image, odd: str) -> None:
    """Never a fault of the host: `internal_error` is one that nobody foresaw."""
    for module in MODULES:
        for name, arity in module.names():
            if (module.name, name) in {("erlang", "exit"), ("ets", "delete_all_objects")} or arity == 0:
                continue
            message = f"{name}: {odd}" + "".join(f" a{n}: {odd}" for n in range(1, arity))
            try:
                image.run(f"Erlang {module.name} {message}")
            except BeamtalkError as error:
                assert error.kind != "internal_error", (message, error)  # noqa: PT017
