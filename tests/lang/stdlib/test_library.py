"""The library as programs see it, where the conformance corpus is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from tests.lang.codegen.image import Image


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    made = Image(Path(tmp_path_factory.mktemp("library")))
    made.load(
        "Value subclass: Crate\n"
        "  field: width = 1\n"
        '  field: inner = #(1, "a")\n'
        "  asJson => #{#w => self.width}\n"
    )
    made.load(
        "Actor subclass: Keeper\n"
        "  open: name => Ets new: name type: #set. nil\n"
        "  put: v in: name => (Ets named: name) at: #k put: v\n"
    )
    return made


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("Python math sqrt: 16", "4.0"),
        ("Python json dumps: #{#a => #(1, 2.5, nil, true)}", '"{""a"": [1, 2.5, null, true]}"'),
        ("Python functools reduce: [:a :b | a + b] with: #(1, 2, 3)", "6"),
        ("Python builtins divmod: 7 by: 2", "{3, 1}"),
        ("Python datetime date: 2020 m: 1 d: 2", "PythonObject(datetime.date)"),
        ('(Python os path) basename: "a/b"', '"b"'),
        (
            "[Python math sqrt: -1] on: Error do: [:e | #(e kind, e errorClass)]",
            "#(#python_error, #ValueError)",
        ),
        ('[Python builtins float: "inf"] on: Error do: [:e | e kind]', "#python_error"),
        (
            "[Python functools reduce: [:a :b | a foo] with: #(1, 2)] on: Error do: [:e | e kind]",
            "#does_not_understand",
        ),
    ],
)
def test_the_gateway_converts_both_ways(image: Image, source: str, printed: str) -> None:
    assert image.show(source) == printed


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("Json generate: #((Crate new), (1 to: 3), #[#a])", '"[{""w"":1},[1,2,3],[""a""]]"'),
        ('Json prettyPrint: #{"a" => #(1), "b" => #()}', '"{\n  ""a"": [\n    1\n  ],\n  ""b"": []\n}"'),
        ('(Json parse: "[1,") isError', "true"),
        ('(Json parse: "01") isError', "true"),
        ("[Json generate: [1]] on: Error do: [:e | e kind]", "#type_error"),
    ],
)
def test_json(image: Image, source: str, printed: str) -> None:
    assert image.show(source) == printed


def test_an_inspector_shows_and_evaluates(image: Image) -> None:
    assert image.run("Crate new inspect printString") == 'Inspector(Crate)\n  inner: #(1, "a")\n  width: 1'
    assert image.show('Crate new inspect evaluate: "self width + 41"') == "Result ok: 42"
    assert image.show('(Crate new inspect evaluate: "self width + ") error kind') == "#parse_error"
    assert image.show("(((1 to: 120) inspect page: 3) unwrap fields) size") == "20"
    assert image.show("((Crate new inspect at: #inner) unwrap at: 2) unwrap path") == "#(#inner, 2)"


def test_a_table_ends_with_the_actor_that_made_it(image: Image) -> None:
    image.run("k := Keeper spawn. k open: #kept. k put: 7 in: #kept. t := Ets named: #kept")
    assert image.show("t at: #k") == "7"
    assert image.show("[t delete] on: Error do: [:e | e kind]") == "#permission_denied"
    image.run("k stop")
    assert image.show("[t at: #k] on: Error do: [:e | e kind]") == "#stale_table"
    assert image.show("Ets exists: #kept") == "false"


def test_a_table_of_the_session_survives_inputs(image: Image) -> None:
    image.run("s := Ets new: #session type: #orderedSet. s at: 2 put: 1. s at: 1 put: 2")
    assert image.show("s keys") == "#(1, 2)"
    assert image.show("s delete") == "nil"


def test_shell_commands_and_their_limit(image: Image) -> None:
    assert image.show('OS run: "printf hi; printf there"') == '"hithere"'
    assert image.show('[OS run: "sleep 5" timeout: 50] on: Error do: [:e | e kind]') == "#timeout"


def test_a_return_passes_through_library_loops(image: Image) -> None:
    image.load(
        "Object subclass: Finder\n"
        "  class first: l => l sort: [:a :b | ^#sorted]. #none\n"
        "  class pull => (Stream from: 1) do: [:n | n > 3 ifTrue: [^n]]. 0\n"
        "  class try => Result tryDo: [^#left]. #none\n"
    )
    assert image.show("Finder first: #(2, 1)") == "#sorted"
    assert image.show("Finder pull") == "4"
    assert image.show("Finder try") == "#left"


def test_a_built_class_replaces_its_predecessor_and_never_a_library_class(image: Image) -> None:
    image.run("k1 := Value classBuilder name: #Pot; fields: #{#a => 1}; register")
    image.run("p := k1 new. Value classBuilder name: #Pot; fields: #{#a => 1, #b => 2}; register")
    assert image.show("p fieldAt: #b") == "2"
    assert image.show("k1 new") == "Pot(a: 1, b: 2)"
    with pytest.raises(BeamtalkError) as refused:
        image.run("Object classBuilder name: #List; register")
    assert refused.value.kind == "stdlib_shadowing"


def test_methods_from_source(image: Image) -> None:
    image.run('Value classBuilder name: #Kettle; methodSource: #{#boil: => "boil: n => n + 1"}; register')
    assert image.show("Kettle new boil: 41") == "42"


def test_a_sort_block_that_answers_no_boolean(image: Image) -> None:
    assert image.show("[#(2, 1) sort: [:a :b | 3]] on: Error do: [:e | e kind]") == "#type_error"


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ('"a&b" replaceRegex: "&" with: "[&]"', '"a[&]b"'),
        (r'"john smith" replaceRegex: "(\w+) (\w+)" with: "\2 \1"', '"smith john"'),
        ('"aXbxc" splitRegex: "x"', '#("aXb", "c")'),
        ('(Regex from: "a+" options: #(#ungreedy)) unwrap source', '"a+"'),
        ('"aaa" firstMatch: (Regex from: "a+" options: #(#ungreedy)) unwrap', '"a"'),
    ],
)
def test_regular_expressions(image: Image, source: str, printed: str) -> None:
    assert image.show(source) == printed


def test_a_subprocess_is_read_line_by_line(image: Image) -> None:
    image.run('c := (Subprocess open: "cat" args: #()) unwrap. c writeLine: "one"; writeLine: "two"')
    assert image.show("c readLine") == '"one"'
    assert image.show("c readLine: 1000") == '"two"'
    assert image.show("c readLine: 20") == "nil"
    assert image.show("c exitCode") == "nil"
    image.run("c close")
    assert image.show("c lines asList") == "#()"
    assert image.show('[c writeLine: "x"] on: Error do: [:e | e kind]') == "#port_closed"
    assert image.show('(Subprocess open: "no-such-program" args: #()) error kind') == "#file_not_found"
    assert image.show("[Subprocess open: 5 args: #()] on: Error do: [:e | e kind]") == "#type_error"


def test_a_subprocess_gets_its_folder_and_environment(image: Image) -> None:
    image.run(
        'p := (Subprocess open: "/bin/sh" args: #("-c", "echo $ZED; pwd; echo err >&2; exit 3")'
        ' env: #{"ZED" => "z"} dir: "/") unwrap'
    )
    assert image.show("p lines asList") == '#("z", "/")'
    assert image.show("p readStderrLine") == '"err"'
    image.run("Timer sleep: 50")
    assert image.show("p exitCode") == "3"


def test_a_reactive_subprocess_tells_an_actor(image: Image) -> None:
    image.load(
        "Actor subclass: Hearer\n"
        "  state: heard = #()\n"
        "  subprocessLine: line from: p => self.heard := self.heard add: line\n"
        "  subprocessStderrLine: line from: p => self.heard := self.heard add: line\n"
        "  subprocessExit: code from: p => self.heard := self.heard add: code\n"
        "  heard => self.heard\n"
    )
    image.run(
        'h := Hearer spawn. ReactiveSubprocess open: "/bin/sh" args: #("-c", "echo a; echo b; exit 4") notify: h'
    )
    image.run("n := 0. [(h heard size < 3) and: [n < 100]] whileTrue: [Timer sleep: 10. n := n + 1]")
    assert image.show("h heard") == '#("a", "b", 4)'


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("a%20b", '"a b"'),
        ("%C3%A9", '"é"'),
        ("50%", '"50%"'),
        ("50%2", '"50%2"'),
        ("%+f", "#parse_error"),
        ("% f", "#parse_error"),
        ("%zz", "#parse_error"),
        ("%%20", "#parse_error"),
    ],
)
def test_escapes_of_urls(image: Image, text: str, decoded: str) -> None:
    assert image.show(f'["{text}" urlDecoded] on: Error do: [:e | e kind]') == decoded
