"""Reading scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance_runner.scenario import (
    AskFile,
    BadScenario,
    DeleteFile,
    Evaluate,
    OpenProject,
    ReplaceText,
    Restart,
    Wanted,
    WriteFile,
    read_scenario,
)


def test_every_kind_of_step() -> None:
    text = """# a comment
@project ferry

> 3 + 4
= 7
> x := "a
| b"
> y
= ERROR:
! src/A.bt
| Object subclass: A
|
|   a => 1
! src/A.bt :: a => 1 ==> a => 2
! src/A.bt :: gone\\n ==>
! delete src/A.bt
@restart
? src/A.bt equals
| x
? src/A.bt contains   a => 1
? src/A.bt lacks
| one
|   two
? src/A.bt pristine
? src/A.bt present
? src/A.bt absent
"""
    assert read_scenario(text) == (
        OpenProject(2, "ferry"),
        Evaluate(4, "3 + 4", "7"),
        Evaluate(6, 'x := "a\nb"', None),
        Evaluate(8, "y", "ERROR:"),
        WriteFile(10, "src/A.bt", "Object subclass: A\n\n  a => 1\n"),
        ReplaceText(14, "src/A.bt", "a => 1", "a => 2"),
        ReplaceText(15, "src/A.bt", "gone\n", ""),
        DeleteFile(16, "src/A.bt"),
        Restart(17),
        AskFile(18, "src/A.bt", Wanted.EQUALS, "x\n"),
        AskFile(20, "src/A.bt", Wanted.CONTAINS, "  a => 1"),
        AskFile(21, "src/A.bt", Wanted.LACKS, "one\n  two"),
        AskFile(24, "src/A.bt", Wanted.PRISTINE),
        AskFile(25, "src/A.bt", Wanted.PRESENT),
        AskFile(26, "src/A.bt", Wanted.ABSENT),
    )


@pytest.mark.parametrize(
    "text", ["hello", "= 7", "> 1\n= 1\n= 1", "| x", "? a", "? a holds b", "@again", "! a :: b"]
)
def test_what_the_format_does_not_know(text: str) -> None:
    with pytest.raises(BadScenario, match=r"line \d+"):
        read_scenario(text)


@pytest.mark.parametrize(
    "file",
    sorted((Path(__file__).parents[1] / "conformance" / "workspace").glob("*.scenario")),
    ids=lambda f: f.stem,
)
def test_the_corpus_can_be_read(file: Path) -> None:
    first, *rest = read_scenario(file.read_text("utf-8"))
    assert isinstance(first, OpenProject)
    assert rest
