from __future__ import annotations

import threading

from repl.prompt.outlet import MAX_WAITING, LineWriter, Outlet


def test_one_wake_serves_many_lines() -> None:
    woken: list[int] = []
    outlet = Outlet(lambda: woken.append(1))
    outlet.put("a")
    outlet.put("b")
    assert outlet.take() == ["a", "b"]
    assert woken == [1]
    outlet.put("c")
    assert woken == [1, 1]


def test_a_flood_is_cut_and_said() -> None:
    outlet = Outlet(lambda: None)
    for number in range(MAX_WAITING + 7):
        outlet.put(str(number))
    taken = outlet.take()
    assert taken[-1] == "… 7 lines dropped"
    assert len(taken) == MAX_WAITING + 1
    assert outlet.take() == []


def test_lines_of_one_thread_stay_in_order() -> None:
    outlet = Outlet(lambda: None)
    threads = [
        threading.Thread(target=lambda name=name: [outlet.put(f"{name}{n}") for n in range(200)])
        for name in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = outlet.take()
    for name in "ab":
        assert [line for line in taken if line[0] == name] == [f"{name}{n}" for n in range(200)]


def test_a_line_is_handed_on_when_it_ends_or_is_flushed() -> None:
    outlet = Outlet(lambda: None)
    writer = LineWriter(outlet, lambda line: f"> {line}")
    writer.write("one\ntw")
    assert outlet.take() == ["> one"]
    writer.write("o")
    writer.flush()
    writer.flush()
    assert outlet.take() == ["> two"]
