"""The gateways to the host (language.md 4.19, stdlib.md 8), and the switch that closes them (workspace.md 8.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from lang.runtime.runtime import Runtime
from lang.stdlib.host_types import NAMED_HOST_TYPES
from lang.stdlib.services import HostAccess, Services
from tests.lang.codegen.image import Image


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return Image(Path(tmp_path_factory.mktemp("library")))


@pytest.mark.parametrize(
    ("sent", "printed"),
    [
        ("nil", "nil"),
        ("true", "true"),
        ("7", "7"),
        ("7.5", "7.5"),
        ('"tea"', '"tea"'),
        ("#tea", '"tea"'),
        ('#(1, #(2, "a"))', '#(1, #(2, "a"))'),
        ("#[1, 2]", "#(1, 2)"),
        ("(Tuple withAll: #(1, #a))", '{1, "a"}'),
        ('#{#a => 1, "b" => #(2)}', '#{"a" => 1, "b" => #(2)}'),
        ("(Binary fromBytes: #(255, 0))", "<<FF 00>>"),
        ("[:a | a + 1]", "Block/1"),
        ("(Set withAll: #(1))", "Set(1)"),
        ("(Python math)", "PythonModule(math)"),
    ],
)
def test_a_value_goes_to_the_host_and_back(image: Image, sent: str, printed: str) -> None:
    image.run(f"there := Python operator itemgetter: 0. back := there callWith: #(#({sent}))")
    assert image.show("#(back)") == f"#({printed})"


@pytest.mark.parametrize(
    ("source", "kind", "error_class"),
    [
        ("Python no_such_module", "python_error", "ModuleNotFoundError"),
        ("Python math no_such_name", "python_error", "AttributeError"),
        ("Python math pi: 3", "python_error", "TypeError"),
        ("Python math sqrt: -1", "python_error", "ValueError"),
        ("Python math sqrt: 1 with: 2", "python_error", "TypeError"),
        ('Python builtins float: "nan"', "python_error", "ValueError"),
        ("Python sys exit: 3", "python_error", "SystemExit"),
        ('Python builtins int: "x"', "python_error", "ValueError"),
        ("Python builtins len: #{#(1) => 2}", "python_error", "TypeError"),
        ("(Python builtins iter: #(1)) nothing", "python_error", "AttributeError"),
        ("(Python builtins object) asList", "python_error", "TypeError"),
        ("(Python builtins object) use: [:x | x]", "python_error", "AttributeError"),
        ("(Python builtins object) at: 1", "python_error", "TypeError"),
        ("Python math: 3", "does_not_understand", "Python"),
        ("Python functools reduce: [:a | a] with: #(1, 2)", "arity_mismatch", None),
    ],
)
def test_faults_of_the_host_are_errors(image: Image, source: str, kind: str, error_class: str | None) -> None:
    with pytest.raises(BeamtalkError) as raised:
        image.run(source)
    assert raised.value.kind == kind
    assert error_class is None or raised.value.class_name == error_class


def test_a_return_leaves_through_the_host(image: Image) -> None:
    image.load(
        "Object subclass: Leaver\n  class go => Python functools reduce: [:a :b | ^b] with: #(1, 2). 0\n"
    )
    assert image.show("Leaver go") == "2"


def test_functions_of_the_host_are_blocks_where_a_block_can_stand_for_them(image: Image) -> None:
    image.run("twice := Python functools singledispatch: [:a | a * 2]")
    assert image.show("#(twice)") in {"#(Block/1)", "#(PythonObject(builtins.function))"}
    assert image.show("twice callWith: #(4)") == "8"


def test_iterators_are_lazy_and_consumed_once(image: Image) -> None:
    image.run("it := Python builtins iter: #(1, 2, 3)")
    assert image.show("it stream take: 2") == "#(1, 2)"
    assert image.show("it asList") == "#(3)"
    assert image.show("(Python itertools count: 1) stream detect: [:n | n > 4]") == "5"


def test_a_context_manager_is_left_on_every_exit(image: Image) -> None:
    image.run('file := Python io StringIO: "tea"')
    assert image.show("file use: [:f | f read]") == '"tea"'
    assert image.show("file closed") == "true"
    image.run('file := Python io StringIO: "tea"')
    assert image.show('[file use: [:f | f error: "no"]] on: Error do: [:e | e kind]') == "#user_error"
    assert image.show("file closed") == "true"


def test_a_manager_may_swallow_the_error(image: Image) -> None:
    image.run(
        "quiet := Python contextlib suppress: ((Python builtins getattr: (Python builtins) with: #Exception))"
    )
    assert image.show("quiet use: [:x | x foo]") == "nil"


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("Erlang lists frobnicate: #(1)", "List"),
        ("Erlang math sqrt: 4 with: 5", "Python math"),
        ("Erlang erlang halt", "Python"),
        ("Erlang ets new: #t", "Ets"),
        ("Erlang some_module go", "Python math sqrt: 16"),
    ],
)
def test_everything_else_names_the_way_of_this_host(image: Image, source: str, hint: str) -> None:
    with pytest.raises(BeamtalkError) as raised:
        image.run(source)
    assert raised.value.kind == "unsupported"
    assert "not available on this host" in raised.value.message
    assert hint in (raised.value.hint or "")


# ---------------------------------------------------------------- --no-ffi


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Image:
    services = Services(host_access=HostAccess.FORBIDDEN)
    return Image(Path(tmp_path_factory.mktemp("closed")), services)


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("Python math", "Python 'math'"),
        ('File readAll: "x"', "File 'readAll:'"),
        ('File exists: "x"', "File 'exists:'"),
        ("File cwd", "File 'cwd'"),
        ('OS run: "true"', "OS 'run:'"),
        ('Subprocess open: "true" args: #()', "Subprocess 'open:args:env:dir:'"),
        ('System getEnv: "HOME"', "System 'getEnv:'"),
        ('System setEnv: "A" value: "b"', "System 'setEnv:value:'"),
        ("System halt", "System 'halt'"),
        ("Program exit: 0", "Program 'exit:'"),
    ],
)
def test_without_host_access_what_reaches_the_host_is_refused(
    closed: Image, source: str, refused: str
) -> None:
    with pytest.raises(BeamtalkError) as raised:
        closed.run(source)
    assert raised.value.kind == "permission_denied"
    assert raised.value.message == f"{refused}: forbidden by --no-ffi"


def test_without_host_access_the_rest_stays(closed: Image) -> None:
    assert closed.show("(Random seed: 1) next < 1") == "true"
    assert closed.show("Time nowS > 0") == "true"
    assert closed.show("(Timer after: 60000 do: [nil]) cancel") == "true"
    assert closed.show("Erlang erlang hd: #(1)") == "1"


def test_types_known_by_name_exist() -> None:
    runtime = Runtime()
    for type_name, _class_name in NAMED_HOST_TYPES:
        module, _, name = type_name.rpartition(".")
        found = getattr(__import__(module, fromlist=[name]), name)
        assert f"{found.__module__}.{found.__qualname__}" == type_name
    assert runtime.class_named("Random") is None
