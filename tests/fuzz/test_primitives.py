"""Every method of the library with odd receivers and arguments: an answer or an error of the language, and in time.

What runs on is interrupted, as a person would; what an interrupt does not reach, or a fault of the host that nobody
foresaw (`internal_error`), fails the test. `BEAMTALK_FUZZ_SEED` repeats a run.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import TimeoutError as NotInTime
from pathlib import Path

import pytest

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.processes.signals import Interrupted
from workspace.opening import Opening, open_workspace
from workspace.sessions import ValueAnswer
from workspace.workspace import Workspace

SEED = int(os.environ.get("BEAMTALK_FUZZ_SEED", str(time.time_ns() % 1_000_000)))
TURNS_A_SELECTOR = int(os.environ.get("BEAMTALK_FUZZ_TURNS", "6"))
LONG = 0.5
"""Seconds after which a send is interrupted."""

AT_MOST = 20.0
"""Seconds in which an interrupted send has to end."""

ODD = """
nil; true; false; 0; -1; 3; 1.5; -0.0; 1.0e300; 9223372036854775807; 2 ** 70; (2 ** 70) negated; 100000; -7.25
""; "ab"; "né e" ++ (String fromCodePoint: 769); "line" ++ (String fromCodePoint: 10); "("; "12"; "x" repeat: 300
#a; #at:put:; #ok; #infinity; #(); #(1, "a", #b); #(#(1), #(2)); #[1, 2]; #[]; #{}; #{#a => 1, 1 => 2}
Set withAll: #(1, 2); Set new; Bag withAll: #(1, 1); Tuple withAll: #(#ok, 1); Tuple withAll: #(#error, #no)
Binary fromBytes: #(255, 0); 3 to: 1; 1 to: 5 by: 2; [1]; [:a | a]; [:a :b | a]; [:a :b :c | a]; [nil foo]
[:a | a foo]; [:a :b | a > b]; Object; Integer; Integer class; Error; Result ok: 1; Result error: #no; $x
Duration seconds: 1; Python math; Python math inThread; Python fractions Fraction: 1; Erlang lists; #(1, 2) stream
Queue new; DateTime now; Uuid v4; (Regex from: "a+") unwrap; [1 / 0] on: Error do: [:e | e]; Random seed: 3
Announcer new; Erlang erlang self; Erlang erlang make_ref; Integer >> #gcd:; Timer after: 60000 do: [1]
Ets newOrExisting: #odd type: #set; Inspector on: #(1); RetryPolicy new; SupervisionSpec new; Transcript
"""
"""What is sent to and with: expressions, between semicolons."""

LEFT_OUT = frozenset({"Program", "OS", "Subprocess", "ReactiveSubprocess", "TestRunner", "Console", "System"})
"""Classes that end the program, start others, or read what a person types."""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.chdir(tmp_path)
    opened = open_workspace(Opening(None, library_cache=tmp_path / "cache"))
    yield opened
    opened.close()


class Prober:
    """Sends, and what was wrong with them."""

    def __init__(self, workspace: Workspace, chance: random.Random) -> None:
        self._workspace = workspace
        self._runtime = workspace.runtime
        self._chance = chance
        self._session = workspace.sessions.open("fuzz")
        self.odd = [(text, self._value_of(text)) for text in re.split(r"[;\n]+\s*", ODD.strip())]
        self.faults: list[str] = []
        self.sends = 0

    def _value_of(self, text: str) -> object:
        outcome = self._workspace.evaluator.run(lambda: self._session.evaluate(text))
        assert outcome.error is None, (text, outcome.error)
        answer = outcome.answers[-1]
        assert isinstance(answer, ValueAnswer), text
        return answer.value

    def receivers(self, class_object: ClassObject) -> list[tuple[str, object]]:
        found = [(t, v) for t, v in self.odd if self._runtime.is_kind_of(v, class_object)]
        return self._chance.sample(found, min(3, len(found)))

    def probe(self, class_object: ClassObject) -> None:
        definition = class_object.definition
        for receiver in self.receivers(class_object):
            for method in definition.methods.values():
                self._send(receiver, method.selector, method.arity)
        for method in definition.class_methods.values():
            self._send((class_object.name, class_object), method.selector, method.arity)

    def _send(self, receiver: tuple[str, object], selector: str, arity: int) -> None:
        for _ in range(TURNS_A_SELECTOR if arity else 1):
            arguments = [self._chance.choice(self.odd) for _ in range(arity)]
            told = f"{receiver[0]} {selector} {[text for text, _ in arguments]}"
            try:
                self._perform(receiver[1], selector, [value for _, value in arguments])
            except BeamtalkError as error:
                if error.kind == "internal_error":
                    self._note(f"{told}: {error.message}")
            except NotInTime:
                self._note(f"{told}: cannot be interrupted")
                raise
            except Exception as fault:  # noqa: BLE001 (what a program would see of it)
                if as_beamtalk_error(fault).kind == "internal_error":
                    self._note(f"{told}: {type(fault).__name__}: {fault}")

    def _note(self, fault: str) -> None:
        self.faults.append(fault[:300])
        print(fault[:300], flush=True)  # at once: what cannot be interrupted keeps the end from coming, too

    def _perform(self, receiver: object, selector: str, arguments: list[object]) -> None:
        self.sends += 1
        evaluator = self._workspace.evaluator

        def send() -> str:
            return self._runtime.print_string(self._runtime.send(receiver, selector, *arguments))

        evaluation = evaluator.submit(send, "fuzz")
        try:
            evaluation.future.result(timeout=LONG)
        except NotInTime:
            evaluator.interrupt(evaluation)
            try:
                evaluation.future.result(timeout=AT_MOST)
            except Interrupted:
                return
        except Interrupted:
            return


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_send_ends_in_a_fault_of_the_host_or_not_at_all(workspace: Workspace) -> None:
    prober = Prober(workspace, random.Random(SEED))
    for class_object in list(workspace.runtime.classes()):
        is_of_library = class_object.definition.package == "stdlib"
        if is_of_library and class_object.name not in LEFT_OUT:
            prober.probe(class_object)
    print(f"seed {SEED}: {prober.sends} sends")
    assert not prober.faults, f"seed {SEED}:\n" + "\n".join(prober.faults)
    assert prober.sends > 3000
