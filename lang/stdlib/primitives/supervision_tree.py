"""Primitives of SupervisionTree (actors.md 13.5)."""

from __future__ import annotations

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.navigation import ProcessNode, ProcessTree

SUPERVISION_TREE = PrimitiveTable("SupervisionTree")


@SUPERVISION_TREE.primitive("nodes")
def nodes(self: ProcessTree) -> BtList:
    return list_from(self.nodes)


@SUPERVISION_TREE.primitive("root")
def root(self: ProcessTree) -> ProcessNode | None:
    return self.root


@SUPERVISION_TREE.primitive("printString")
def print_string(self: ProcessTree) -> str:
    first = self.root
    if first is None:
        return "#SupervisionTree<empty>"
    name = first.class_object.name if first.class_object is not None else "process"
    return f"#SupervisionTree<{len(self.nodes)} nodes, root: #{name}>"
