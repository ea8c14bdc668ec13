"""Scopes of hand-made trees (language.md 4.4)."""

from lang.ast import nodes as ast
from lang.semantics.scopes import BindingKind, Scope, resolve
from lang.source import Span

AT = Span(0, 0)


def var(name: str) -> ast.Variable:
    return ast.Variable(AT, name)


def let(name: str, value: ast.Expression) -> ast.Assignment:
    return ast.Assignment(AT, var(name), value)


def block(*body: ast.Expression, parameters: tuple[str, ...] = ()) -> ast.Block:
    made = tuple(ast.BlockParameter(AT, ast.Identifier(AT, name)) for name in parameters)
    return ast.Block(AT, made, body)


def number(value: int = 1) -> ast.IntegerLiteral:
    return ast.IntegerLiteral(AT, value)


def method(*body: ast.Expression, parameters: tuple[str, ...] = ()) -> Scope:
    made = tuple(ast.Parameter(AT, ast.Identifier(AT, name)) for name in parameters)
    signature = ast.Signature(AT, ast.Selector("m", (AT,)), made)
    return resolve(ast.MethodDef(AT, signature, body))


def unresolved(scope: Scope) -> list[str]:
    return [read.name for part in scope.walk() for read in part.unresolved]


def test_a_block_updates_a_variable_that_is_visible_outside() -> None:
    scope = method(let("x", number()), block(let("x", number(2))), var("x"))
    assert scope.declared == {"x"}
    assert scope.captured == {"x"}
    (inner,) = scope.children
    assert inner.declared == frozenset()
    assert inner.assigned == inner.free == {"x"}


def test_a_name_first_assigned_in_a_block_is_local_to_it() -> None:
    scope = method(block(let("x", number())), var("x"))
    assert scope.declared == frozenset()
    assert scope.children[0].declared == {"x"}
    assert unresolved(scope) == ["x"]


def test_a_block_before_the_outer_assignment_has_its_own_variable() -> None:
    scope = method(block(let("x", number())), let("x", number()), block(var("x")), var("x"))
    first, second = scope.children
    assert first.declared == {"x"}
    assert second.free == {"x"}
    assert scope.captured == {"x"}
    assert unresolved(scope) == []


def test_a_value_does_not_see_the_name_that_it_is_assigned_to() -> None:
    assert unresolved(method(let("x", var("x")))) == ["x"]


def test_a_block_may_name_itself() -> None:
    scope = method(let("f", block(var("f"))), var("f"))
    assert unresolved(scope) == []
    assert scope.bindings[0].is_early


def test_a_block_parameter_hides_an_outer_name() -> None:
    scope = method(block(var("x"), parameters=("x",)), parameters=("x",))
    (binding,) = scope.children[0].bindings
    assert (binding.kind, binding.hides, binding.is_read) == (BindingKind.BLOCK_PARAMETER, True, True)
    assert not scope.bindings[0].is_read
    assert scope.captured == frozenset()


def test_an_arm_is_a_scope_with_its_pattern_variables() -> None:
    arm = ast.MatchArm(AT, ast.VariablePattern(AT, "a"), var("a"), let("b", block(var("a"))))
    matched = ast.Match(AT, number(), ast.Selector("match:", (AT,)), (arm,))
    scope = method(matched, var("a"))
    assert scope.children[0].parameters == ("a",)
    assert scope.children[0].declared == {"a", "b"}
    assert scope.children[0].captured == {"a"}
    assert unresolved(scope) == ["a"]


def test_a_block_inside_an_arm_captures_from_the_method() -> None:
    arm = ast.MatchArm(AT, ast.WildcardPattern(AT), None, block(var("n")))
    scope = method(let("n", number()), ast.Match(AT, number(), ast.Selector("match:", (AT,)), (arm,)))
    assert scope.captured == {"n"}


def test_underscore_never_binds_in_a_pattern() -> None:
    pattern = ast.ArrayPattern(AT, (ast.VariablePattern(AT, "_"), ast.RestPattern(AT, "r")))
    assert method(ast.Destructuring(AT, pattern, number())).declared == {"r"}


def test_session_names_are_visible_and_not_declared_again() -> None:
    node = ast.Statements(AT, (let("x", var("y")), let("z", number())))
    scope = resolve(node, outer={"x", "y"})
    assert scope.declared == {"z"}
    assert scope.assigned == {"x", "z"}
    assert scope.read == {"y"}
    assert unresolved(scope) == []


def test_scopes_are_found_by_their_node() -> None:
    inner = block(number())
    scope = method(block(inner))
    assert scope.by_node()[id(inner)].node is inner


def test_a_long_chain_of_sends_is_no_deep_recursion() -> None:
    total: ast.Expression = var("x")
    for _ in range(20_000):
        total = ast.Send(AT, total, ast.Selector("+", (AT,)), (var("y"),))
    scope = method(total, parameters=("x", "y"))
    assert scope.read == {"x", "y"}
