"""Running files: verdicts for every check, whatever the inputs do."""

from __future__ import annotations

from pathlib import Path

from tests.conformance_runner.known import accepted, known_ids
from tests.conformance_runner.parent import Runner
from tests.conformance_runner.running import checks_of
from tests.conformance_runner.toy_child import is_complete

RUNNER = Runner(lambda file: checks_of(file, is_complete), 1.0, "tests.conformance_runner.toy_child")


def verdicts(tmp_path: Path, name: str, text: str) -> dict[int, str | None]:
    file = tmp_path / "area" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return RUNNER.run_file(file).verdicts


def test_passes_and_failures(tmp_path: Path) -> None:
    text = "print\n// => print\n7\n// => 8\nfail it\n// => ERROR: it\nraise\n// => _\nlost\n"
    assert verdicts(tmp_path, "a.btscript", text) == {
        1: None,
        3: "expected '8', got '7'",
        5: None,
        7: "raised RuntimeError: a defect",
        9: "expression will not be executed (missing assertion)",
    }


def test_a_hang_and_a_death_cost_their_own_checks_only(tmp_path: Path) -> None:
    text = "1\n// => 1\nhang\n// => _\n2\n// => 2\ndie\n// => _\n3\n// => 3\n"
    assert verdicts(tmp_path, "a.btscript", text) == {
        1: None,
        3: "timed out after 1 s",
        5: None,
        7: "the process ended (3)",
        9: None,
    }


def test_a_load_that_fails_fails_the_file(tmp_path: Path) -> None:
    text = "// @load gone.bt\n// @load-error gone.bt => no gone\n// @load-error a.btscript => x\n1\n// => 1\n"
    assert verdicts(tmp_path, "a.btscript", text) == {
        2: None,
        3: "a.btscript loads, but must not",
        4: "gone.bt does not load: Line 1: no gone.bt",
    }


def test_the_corpus_itself_is_never_written(tmp_path: Path) -> None:
    assert verdicts(
        tmp_path, "a.btscript", "write new text\n// => _\nfolder\n// => ['a.btscript', 'new']\n"
    ) == {
        1: None,
        3: None,
    }
    assert [each.name for each in (tmp_path / "area").iterdir()] == ["a.btscript"]


def test_a_scenario(tmp_path: Path) -> None:
    project = tmp_path / "area" / "projects" / "ferry" / "src"
    project.mkdir(parents=True)
    (project / "A.bt").write_text("old\n", "utf-8")
    text = """@project ferry
? src/A.bt pristine
> write src/A.bt new
? src/A.bt equals
| new
? src/A.bt contains new
? src/A.bt pristine
! src/A.bt :: new ==> newer
? src/A.bt contains newer
! src/A.bt :: gone ==> x
> fail it
? src/a.bt absent
! delete src/A.bt
? src/A.bt present
@restart
? closed present
> 1
= 2
"""
    assert verdicts(tmp_path, "a.scenario", text) == {
        2: None,
        3: None,
        4: "src/A.bt equals 'new\\n': it holds 'new'",
        6: None,
        7: "src/A.bt pristine '': it holds 'new'",
        9: None,
        10: "src/A.bt does not hold 'gone'",
        11: "got the error 'it'",
        12: None,
        14: "src/A.bt is not there",
        16: None,
        17: "expected '2', got '1'",
    }


def test_the_list_of_known_failures_keeps_its_reasons() -> None:
    text = "# Slow.\na/b.btscript:3\na/b.btscript:10\n\n# Gone.\na/c.btscript:1\n"
    assert known_ids(text) == {"a/b.btscript:3", "a/b.btscript:10", "a/c.btscript:1"}
    after = accepted(text, ["a/c.btscript:1", "a/b.btscript:3"], ["a/d.btscript:9", "a/d.btscript:10"])
    assert after == ("# Slow.\na/b.btscript:10\n\n# Not looked into yet.\na/d.btscript:9\na/d.btscript:10\n")
    assert accepted(after, [], ["a/d.btscript:9", "a/d.btscript:10", "a/b.btscript:10"]) == after
    assert accepted(after, ["a/d.btscript:9", "a/d.btscript:10", "a/b.btscript:10"], []) == ""
