from __future__ import annotations

from typing import Any

import pytest

from lang.runtime.blocks import Home, NonLocalReturn
from lang.runtime.classes import ClassObject, Slot
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.processes import ending
from lang.runtime.processes.migration import class_changed, class_removed
from lang.runtime.processes.spawning import is_required, spawn, values_of
from lang.runtime.symbols import symbol
from lang.syntax.units import Side
from tests.lang.runtime.processes.image import Functions, Image


def write(actor: Any, name: str, value: object) -> object:
    """What generated code does for `self.name := value`."""
    key = "f_" + name
    if key not in actor._undo:
        actor._undo[key] = getattr(actor, key)
    setattr(actor, key, value)
    return value


@pytest.fixture
def tally(image: Image) -> ClassObject:
    def add(self: Any, n: int) -> object:
        return write(self, "total", self.f_total + n)

    def add_then_fail(self: Any, n: int) -> object:
        image.runtime.send_own(self, "add:", [n])
        raise BeamtalkError("user_error", "refused")

    def divide(self: Any) -> object:
        write(self, "total", 1000)
        return self.f_total / 0

    return image.define(
        "Tally",
        image.actor,
        {
            "add:": add,
            "total": lambda self: self.f_total,
            "addThenFail:": add_then_fail,
            "divide": divide,
            "alias": lambda self: image.send(self, "add:", 1),
            "away": lambda self: (_ for _ in ()).throw(NonLocalReturn(Home(), 1)),
            "keep:": lambda self, block: write(self, "kept", block),
            "kept": lambda self: self.f_kept(),
        },
        slots=(Slot("total", lambda: 0), Slot("kept")),
    )


def kind_of(action: Any) -> str:
    with pytest.raises(BeamtalkError) as caught:
        action()
    return caught.value.kind


def test_state_is_changed_by_messages(image: Image, tally: ClassObject) -> None:
    def main() -> None:
        actor = spawn(image.system, tally)
        image.send(actor, "add:", 4)
        assert image.send(actor, "total") == 4
        assert image.send(actor, "alias") == 5

    image.run(main)


def test_initial_values_win_over_defaults(image: Image, tally: ClassObject) -> None:
    values = values_of(tally, dictionary_of([(symbol("total"), 4), (symbol("unknown"), 1)]), "spawnWith:")
    assert image.run(lambda: image.send(spawn(image.system, tally, values), "total")) == 4
    assert kind_of(lambda: values_of(tally, 7, "spawnWith:")) == "type_error"


@pytest.mark.parametrize(("selector", "arguments"), [("addThenFail:", (9,)), ("divide", ())])
def test_a_failed_message_leaves_the_state_as_it_was(
    image: Image, tally: ClassObject, selector: str, arguments: tuple[object, ...]
) -> None:
    def main() -> None:
        actor = spawn(image.system, tally)
        image.send(actor, "add:", 4)
        with pytest.raises(BeamtalkError):
            image.send(actor, selector, *arguments)
        assert image.send(actor, "total") == 4
        image.system.cast(actor, selector, arguments)
        assert image.send(actor, "total") == 4
        assert actor._undo == {}

    image.run(main)


def test_a_host_fault_names_the_method(image: Image, tally: ClassObject) -> None:
    def main() -> None:
        with pytest.raises(BeamtalkError, match=r"^Tally>>divide: ") as caught:
            image.send(spawn(image.system, tally), "divide")
        assert caught.value.kind == "type_error"
        assert caught.value.raw_kind == "badarith"

    image.run(main)


def test_an_unknown_selector_is_the_senders_error(image: Image, tally: ClassObject) -> None:
    assert (
        image.run(lambda: kind_of(lambda: image.send(spawn(image.system, tally), "fly")))
        == "does_not_understand"
    )


def test_a_return_to_another_process_is_a_throw(image: Image, tally: ClassObject) -> None:
    assert (
        image.run(lambda: kind_of(lambda: image.send(spawn(image.system, tally), "away"))) == "erlang_throw"
    )


def test_a_block_takes_copies_of_its_variables(image: Image, tally: ClassObject) -> None:
    def main() -> None:
        actor = spawn(image.system, tally)
        n = 1

        def block() -> int:
            return n

        image.send(actor, "keep:", block)
        n = 2
        assert block() == 2
        assert image.send(actor, "kept") == 1

    image.run(main)


def test_initializers_run_from_the_top(image: Image) -> None:
    def append(letter: str) -> Any:
        return lambda self: write(self, "trail", self.f_trail + letter)

    layer = image.define(
        "Layer",
        image.actor,
        {"initialize": append("b"), "trail": lambda self: self.f_trail},
        (Slot("trail", lambda: "a"),),
    )
    middle = image.define("Middle", layer)
    upper = image.define("Upper", middle, {"initialize": append("c")})
    assert image.run(lambda: image.send(spawn(image.system, upper), "trail")) == "abc"


def test_a_failed_initializer_ends_the_process(image: Image) -> None:
    seen: list[object] = []

    def fail(self: Any) -> None:
        write(self, "mark", "late")
        raise BeamtalkError("user_error", "never born")

    doomed = image.define(
        "Doomed",
        image.actor,
        {"initialize": fail, "terminate:": lambda self, reason: seen.append((self.f_mark, reason.kind))},
        (Slot("mark", lambda: "early"),),
    )

    def main() -> None:
        before = len(image.system.scheduler.processes.live)
        with pytest.raises(BeamtalkError, match="Cannot call 'spawn' on Doomed") as caught:
            spawn(image.system, doomed)
        assert caught.value.kind == "instantiation_error"
        assert caught.value.hint == "never born"
        assert seen == [("early", "user_error")]
        assert len(image.system.scheduler.processes.live) == before

    image.run(main)


def test_an_initializer_has_five_seconds(image: Image) -> None:
    slow = image.define("Slow", image.actor, {"initialize": lambda self: image.sleep(6)})

    def main() -> None:
        assert kind_of(lambda: spawn(image.system, slow)) == "instantiation_error"
        assert image.system.live_actors() == []

    image.run(main)


@pytest.mark.parametrize(
    ("annotation", "wanted"),
    [("String", True), ("String | Nil", False), ("Nil", False), (None, False), ("List(String | Nil)", True)],
)
def test_which_slots_are_required(annotation: str | None, wanted: bool) -> None:
    assert is_required(Slot("x", None, annotation)) is wanted


def test_a_required_slot_fails_the_spawn(image: Image) -> None:
    badge = image.define("Badge", image.actor, slots=(Slot("owner", None, "String"),))
    kid = image.define("Kid", badge)

    def main() -> None:
        with pytest.raises(BeamtalkError) as caught:
            spawn(image.system, kid)
        hint = caught.value.hint or ""
        assert all(part in hint for part in ("UninitializedStateError", "Badge", "owner", "String"))
        assert "Kid" in caught.value.message
        spawn(image.system, kid, {"owner": "ann"})

    image.run(main)


def test_stop_takes_its_place_in_the_queue(image: Image, tally: ClassObject) -> None:
    def main() -> None:
        actor = spawn(image.system, tally)
        ended: list[object] = []
        ending.watch(actor.process, 1, ended.append)
        for _ in range(5):
            image.system.cast(actor, "add:", (1,))
        assert ending.stop(image.system, actor) is symbol("ok")
        assert vars(actor)["f_total"] == 5
        assert ended == [symbol("normal")]
        assert not image.system.is_alive(actor)
        assert ending.stop(image.system, actor) is symbol("ok")
        with pytest.raises(BeamtalkError, match="terminated") as caught:
            image.send(actor, "total")
        assert (caught.value.kind, caught.value.selector) == ("actor_dead", "total")
        image.system.cast(actor, "add:", (1,))

    image.run(main)


def test_a_stop_that_takes_long_is_carried_out_later(image: Image) -> None:
    sleeper = image.define("Sleeper", image.actor, {"nap": lambda self: image.sleep(7)})

    def main() -> None:
        actor = spawn(image.system, sleeper)
        image.system.cast(actor, "nap", ())
        with pytest.raises(BeamtalkError) as caught:
            ending.stop(image.system, actor)
        assert (caught.value.kind, caught.value.selector) == ("actor_dead", "stop")
        assert image.system.is_alive(actor)
        image.sleep(3)
        assert not image.system.is_alive(actor)

    image.run(main)


def test_own_stop_and_kill(image: Image) -> None:
    selfish = image.define(
        "Selfish",
        image.actor,
        {
            "end": lambda self: ending.stop(image.system, self),
            "die": lambda self: ending.kill(image.system, self),
        },
    )

    def main() -> None:
        actor = spawn(image.system, selfish)
        assert kind_of(lambda: image.send(actor, "end")) == "deadlock_detected"
        assert image.system.is_alive(actor)
        assert kind_of(lambda: image.send(actor, "die")) == "actor_dead"
        assert not image.system.is_alive(actor)

    image.run(main)


def test_a_killed_child_takes_its_spawner_along_and_a_stopped_one_does_not(
    image: Image, tally: ClassObject
) -> None:
    children: list[ActorObject] = []
    parent = image.define(
        "Parent", image.actor, {"bear": lambda self: children.append(spawn(image.system, tally))}
    )

    def main() -> None:
        actor = spawn(image.system, parent)
        image.send(actor, "bear")
        ending.stop(image.system, children[0])
        assert image.system.is_alive(actor)
        image.send(actor, "bear")
        ending.kill(image.system, children[1])
        assert not image.system.is_alive(actor)

    image.run(main)


def test_monitors_tell_a_server_once(image: Image, tally: ClassObject) -> None:
    got: list[BtTuple] = []
    gong = image.define(
        "Gong",
        image.server,
        {
            "handleInfo:": lambda self, message: got.append(message),
            "watch:": lambda self, other: ending.monitor(image.system, other.process),
        },
    )

    def main() -> None:
        server, target = spawn(image.system, gong), spawn(image.system, tally)
        image.send(server, "watch:", target)
        dropped = image.send(server, "watch:", target)
        assert ending.demonitor(image.system, dropped)  # type: ignore[arg-type]
        ending.stop(image.system, target)
        image.sleep(0.01)
        assert [message[4] for message in got] == [symbol("normal")]
        image.send(server, "watch:", target)
        image.sleep(0.01)
        assert got[-1][4] is symbol("noproc")

    image.run(main)


def test_raw_messages_reach_servers_only(image: Image, tally: ClassObject) -> None:
    got: list[object] = []
    bell = image.define("Bell", image.server, {"handleInfo:": lambda self, message: got.append(message)})

    def main() -> None:
        for class_object in (bell, tally):
            image.system.send_raw(spawn(image.system, class_object).process, 7)
        image.sleep(0.01)
        assert got == [7]

    image.run(main)


def test_exit_watches_run_in_processes_of_their_own(image: Image, tally: ClassObject) -> None:
    got: list[object] = []

    def note(reason: object) -> None:
        got.append((reason, image.system.current_actor))

    def fail(reason: object) -> None:
        raise ValueError("broke")

    def main() -> None:
        actor = spawn(image.system, tally)
        ending.on_exit(image.system, actor.process, note)
        ending.on_exit(image.system, actor.process, fail)
        ending.kill(image.system, actor)
        ending.on_exit(image.system, actor.process, note)
        image.sleep(0.01)
        assert got == [(symbol("killed"), None), (symbol("noproc"), None)]

    image.run(main)


def test_names(image: Image, tally: ClassObject) -> None:
    names = image.system.names

    def main() -> None:
        actor = spawn(image.system, tally, name="till")
        assert names.name_of(actor) == "till"
        refusal = names.refusal(symbol("till"), "Tally", "spawnAs:")
        assert refusal is not None
        assert refusal.kind == "name_registered"
        proxy = names.proxy_for(symbol("till"), tally)
        assert isinstance(proxy, ActorObject)
        assert image.send(proxy, "add:", 3) == 3
        image.system.cast(proxy, "add:", (1,))
        assert image.send(actor, "total") == 4
        ending.kill(image.system, actor)
        assert kind_of(lambda: image.send(proxy, "total")) == "no_such_process"
        image.system.cast(proxy, "add:", (1,))
        assert not image.system.is_alive(proxy)
        again = spawn(image.system, tally, name="till")
        assert image.send(proxy, "total") == 0
        names.free("till")
        assert kind_of(lambda: image.send(proxy, "total")) == "no_such_process"
        assert image.system.is_alive(again)
        wrong = names.proxy_for(symbol("till"), image.actor)
        assert isinstance(wrong, BeamtalkError)
        assert wrong.kind == "name_not_registered"

    image.run(main)


def test_a_time_limit_of_its_own(image: Image) -> None:
    sleeper = image.define("Sleeper", image.actor, {"nap:": lambda self, s: image.sleep(s)})

    def main() -> None:
        actor = spawn(image.system, sleeper)
        within = image.system.call_within
        assert kind_of(lambda: within(actor, "nap:", (1,), 0.5)) == "timeout"
        within(actor, "nap:", (7,), 8.0)
        within(actor, "nap:", (700,), None)

    image.run(main)


def test_a_patched_method_is_used_by_the_next_message(image: Image, tally: ClassObject) -> None:
    def main() -> None:
        actor = spawn(image.system, tally)
        image.send(actor, "total")
        image.system.cast(actor, "add:", (1,))
        patched: Functions = {"total": lambda self: "new", "add:": lambda self, n: write(self, "total", -n)}
        image.redefine(tally, patched, tally.definition.slots)
        assert image.send(actor, "total") == "new"
        assert vars(actor)["f_total"] == -1

    image.run(main)


def test_live_actors_get_new_slots_and_lose_old_ones(image: Image, tally: ClassObject) -> None:
    kid = image.define("KidTally", tally)

    def fail() -> object:
        raise ValueError("no default")

    def main() -> None:
        actor = spawn(image.system, kid)
        image.send(actor, "add:", 2)
        slots = (Slot("total", lambda: 0), Slot("step", lambda: 5), Slot("bad", fail))
        image.redefine(tally, {"both": lambda self: (self.f_total, self.f_step, self.f_bad)}, slots)
        class_changed(image.system, tally)
        assert image.send(actor, "both") == (2, 5, None)
        assert "f_kept" not in vars(actor)
        assert [note.split()[-1] for note in image.log.notes] == ["kept"]
        image.redefine(tally, {"total": lambda self: self.f_total}, (Slot("total", lambda: 0),))
        class_changed(image.system, tally)
        assert image.send(actor, "total") == 2
        assert "f_step" not in vars(actor)

    image.run(main)


def test_a_busy_actor_is_migrated_when_its_message_ends(image: Image) -> None:
    def work(self: Any) -> None:
        image.sleep(3)
        write(self, "done", 1)

    slow = image.define(
        "Slow", image.actor, {"work": work, "done": lambda self: self.f_done}, (Slot("done", lambda: 0),)
    )

    def main() -> None:
        actor = spawn(image.system, slow)
        image.system.cast(actor, "work", ())
        image.sleep(1)
        for answer in (1, 2, 3):
            image.redefine(
                slow,
                {"ping": lambda self, a=answer: (a, self.f_more), "done": lambda self: self.f_done},
                (*slow.definition.slots[:1], Slot("more", lambda: "more")),
            )
            class_changed(image.system, slow)
        assert image.send(actor, "done") == 1
        assert image.send(actor, "ping") == (3, "more")

    image.run(main)


def test_removing_a_class_ends_its_actors_only(image: Image, tally: ClassObject) -> None:
    kid = image.define("KidTally", tally)

    def main() -> None:
        one, other = spawn(image.system, tally), spawn(image.system, kid)
        class_removed(image.system, tally)
        assert not image.system.is_alive(one)
        assert image.system.is_alive(other)
        assert kind_of(lambda: image.send(one, "total")) == "actor_dead"

    image.run(main)


def test_queued_messages_survive_the_rename_of_their_selector(image: Image) -> None:
    def total(self: Any) -> object:
        return self.f_total

    def add(self: Any, n: int) -> object:
        return write(self, "total", self.f_total + n)

    slots = (Slot("total", lambda: 0),)
    nap = {"nap": lambda self: image.sleep(1), "total": total}
    tally = image.define("Renamed", image.actor, {**nap, "add:": add}, slots)

    def main() -> None:
        actor = spawn(image.system, tally)
        image.system.cast(actor, "nap", ())
        image.system.cast(actor, "add:", (5,))
        image.sleep(0.5)
        image.redefine(tally, {**nap, "plus:": add}, slots)
        image.runtime.retired.retire(tally, Side.INSTANCE, "add:", "plus:")
        image.system.cast(actor, "add:", (100,))
        assert image.send(actor, "total") == 5
        assert [failure[1] for failure in image.log.failures] == ["add:"]

    image.run(main)
