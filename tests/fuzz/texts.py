"""Random texts that need not be programs: bytes, streams of tokens, sources with a piece changed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]

TOKENS = (
    "a b foo: at: A Integer self super nil true class sealed internal abstract typed subclass: state: field: "
    "classState: native: handleScope: => -> := :: : | ( ) [ ] { } #( #[ #{ #x #at:put: # \" ' $a $ 1 -2 2.5 16rF 2e "
    "37r1 + - * ** / % >> << <<a/ , ; . ... ! ^ = =:= == & \\ \\\\ @expect @primitive @intrinsic @x match: "
    "matchExhaustive: when: type Protocol define: extending: // /* */ /// _ __x \\{ {{ £ é"
).split()
GAPS = (" ", " ", " ", "", "\n", "\n  ", "\n    ", "\r\n", "\t", "\n\n")


@cache
def corpus() -> tuple[str, ...]:
    """The sources of the library, the examples and the conformance fixtures."""
    folders = (ROOT / "lang" / "stdlib", ROOT / "examples", ROOT / "tests" / "conformance")
    paths = sorted(path for folder in folders for path in folder.rglob("*.bt*") if path.is_file())
    return tuple(path.read_bytes().decode("utf-8", "replace") for path in paths)


def random_bytes(random: Random) -> str:
    """Bytes as a file could hold them; what is no UTF-8 is replaced."""
    return random.randbytes(random.randint(0, 80)).decode(
        "utf-8", random.choice(("replace", "surrogateescape"))
    )


def random_tokens(random: Random) -> str:
    """Words and signs of the language in any order."""
    return "".join(random.choice(TOKENS) + random.choice(GAPS) for _ in range(random.randint(0, 40)))


def mutated(random: Random, text: str) -> str:
    """A source with one to three pieces taken out, doubled, moved or put in."""
    for _ in range(random.randint(1, 3)):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((1, 1, 2, 5, 40)))
        piece = text[start:end]
        match random.randrange(5):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + piece + text[end:]
            case 2:
                text = text[:start] + random.choice(TOKENS) + random.choice(GAPS) + text[start:]
            case 3:
                rest = text[:start] + text[end:]
                to = random.randint(0, len(rest))
                text = rest[:to] + piece + rest[to:]
            case _:
                text = text[:start] + random_tokens(random)[:20] + text[end:]
    return text


def mutated_source(random: Random) -> str:
    """A piece of the corpus, mutated; long files are cut so that an input takes milliseconds."""
    text = random.choice(corpus())
    lines = text.split("\n")
    if len(lines) > 60:
        first = random.randrange(len(lines) - 60)
        header = next((line for line in lines if " subclass: " in line), "")
        lines = [header, *lines[first : first + 60]]
    return mutated(random, "\n".join(lines))
