"""Faults in Python code: boundaries of comparisons, lost conditions, arguments and statements, numbers beside the right one.

A `Change` is made in a syntax tree and unmade again, so that line numbers stay and one tree serves for all of them.
"""

import ast
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

from tests.mutants.texts import Edit, edits

NEIGHBOURS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPPOSITES: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.FloorDiv: ast.Mult,
}
LOOKUPS = {"lt": "lte", "lte": "lt", "gt": "gte", "gte": "gt"}
"""Django's comparisons in a query: `lease_until__lte=now`."""
LOSABLE_CALLS = {"order_by", "select_for_update", "filter", "exclude", "distinct", "union"}
"""Links of a query's chain that can go without the rest failing."""
EXTREMES = {"min": "max", "max": "min"}
NOTED_ONLY = {"logger", "logging", "warnings"}
"""Nothing that these are told changes what the service does."""
NO_ARGUMENT_OF = {"Script", "TypeVar", "dataclass", "getLogger", "field", "Field", "register_command"}
MODEL_PARTS = ("Field", "ForeignKey", "Index", "Constraint")
TEXT_OF_ERRORS = {"help", "help_text", "verbose_name", "label", "default_message"}


@dataclass
class Change:
    """One fault. `function` is the qualified name of the function that it is in, "" at the top of the module or of a class."""

    line: int
    function: str
    what: str
    make: Callable[[], None]
    unmake: Callable[[], None]


@dataclass(frozen=True)
class Spot:
    """Where a node stands in its parent."""

    parent: ast.AST
    name: str
    index: int | None = None

    @property
    def node(self) -> Any:
        value = getattr(self.parent, self.name)
        return value if self.index is None else value[self.index]

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.name, node)
        else:
            getattr(self.parent, self.name)[self.index] = node


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every fault that can be planted in the module, in the order of its lines, the same in every run."""
    for spot, function in _spots(tree, ""):
        for what, new in _replacements(spot.node):
            placed = ast.copy_location(copy(new), spot.node)  # a copy: it may be a part of the node itself
            yield _change(spot, function, what, ast.fix_missing_locations(placed))
        if isinstance(spot.node, ast.stmt) and _is_losable(spot):
            gone = ast.copy_location(ast.Pass(), spot.node)
            yield _change(spot, function, f"without: {_short(spot.node)}", gone)


def _change(spot: Spot, function: str, what: str, new: ast.AST) -> Change:
    old = spot.node
    return Change(old.lineno, function, what, lambda: spot.put(new), lambda: spot.put(old))


def _spots(parent: ast.AST, function: str) -> Iterator[tuple[Spot, str]]:
    for name, value in ast.iter_fields(parent):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _says_nothing(node):
                continue
            spot = Spot(parent, name, index)
            if isinstance(node, ast.expr | ast.stmt | ast.keyword):
                yield spot, function
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _spots(node.args, function)  # defaults are computed where the function is defined
                yield from _body(node, f"{function}.{node.name}".lstrip("."))
            elif isinstance(node, ast.ClassDef):
                yield from _methods(node)
            elif not isinstance(node, ast.JoinedStr):
                yield from _spots(node, function)


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[tuple[Spot, str]]:
    """What is in the body of a function."""
    yield from _spots(ast.Module(function.body, []), name)


def _methods(owner: ast.ClassDef) -> Iterator[tuple[Spot, str]]:
    """What is in a class: its methods under its name, the rest as the top of the module is."""
    for spot, function in _spots(owner, ""):
        yield spot, f"{owner.name}.{function}" if function else ""


def _says_nothing(node: ast.AST) -> bool:
    """Whether nothing in it changes what the service does: docstrings, what is logged, what only the type checker reads."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if name in NOTED_ONLY:
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Call(func=ast.Name(id=name)) if name in NO_ARGUMENT_OF - {"Script"}:
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="models"), attr=name)) if name.endswith(
            MODEL_PARTS
        ):
            return True  # the database is what the migrations made
        case ast.keyword(arg=name) if name in TEXT_OF_ERRORS:
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.ClassDef(name="Meta"):
            return True
        case ast.ClassDef(bases=bases):
            return any(isinstance(base, ast.Name) and base.id in ("Protocol", "TypedDict") for base in bases)
    return False


def _replacements(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.keyword]]:
    """What could stand in place of an expression, each with its description."""
    for new in _rewritten(node):
        yield _difference(ast.unparse(node), ast.unparse(new)), new
    if isinstance(node, ast.Constant | ast.JoinedStr):
        template, parts = _flat(node)
        for edit in edits(template):
            yield (
                _said(template, edit),
                _built(node, template[: edit.start] + edit.new + template[edit.end :], parts),
            )


def _rewritten(node: ast.AST) -> Iterator[Any]:  # noqa: C901  a table of the changes
    match node:
        case ast.Compare(ops=ops):
            for at, operator in enumerate(ops):
                if (neighbour := NEIGHBOURS.get(type(operator))) is not None:
                    yield ast.Compare(node.left, [*ops[:at], neighbour(), *ops[at + 1 :]], node.comparators)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), values)
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.IfExp():
            yield node.body
            yield node.orelse
        case ast.BinOp(op=operator) if type(operator) in OPPOSITES and not _is_text(node):
            yield ast.BinOp(node.left, OPPOSITES[type(operator)](), node.right)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() as operator) if _is_query(node):
            yield node.left
            yield node.right
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name)) if name in EXTREMES:
            yield ast.Call(ast.Name(EXTREMES[name], ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Attribute(value=earlier, attr=name)) if name in LOSABLE_CALLS:
            yield earlier
    if isinstance(node, ast.Call):
        yield from _calls_without(node)
        yield from _calls_compared_otherwise(node)


def _calls_without(node: ast.Call) -> Iterator[ast.Call]:
    for at, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg not in TEXT_OF_ERRORS:
            yield ast.Call(node.func, node.args, node.keywords[:at] + node.keywords[at + 1 :])


def _calls_compared_otherwise(node: ast.Call) -> Iterator[ast.Call]:
    for at, keyword in enumerate(node.keywords):
        stem, _, lookup = (keyword.arg or "").rpartition("__")
        if stem and lookup in LOOKUPS:
            new = ast.keyword(f"{stem}__{LOOKUPS[lookup]}", keyword.value)
            yield ast.Call(node.func, node.args, [*node.keywords[:at], new, *node.keywords[at + 1 :]])


def _is_text(node: ast.BinOp) -> bool:
    """Whether something is joined rather than counted."""
    joined = ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp
    sides = (node.left, node.right)
    return any(
        isinstance(side, joined) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in sides
    )


def _is_query(node: ast.BinOp) -> bool:
    return any(isinstance(part, ast.Name) and part.id in ("Q", "Exists") for part in ast.walk(node))


def _is_losable(spot: Spot) -> bool:
    """Whether the function makes sense without this statement, so that a test has to notice."""
    match spot.node:
        case ast.Expr(value=ast.Call() | ast.Await() | ast.YieldFrom()):
            return True
        case ast.AugAssign() | ast.Delete() | ast.Raise() | ast.Continue():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            return True
        case ast.If(orelse=[], body=body):
            return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
    return False


# Within a template, what an f-string inserts is one character, of which there are more than any text needs.
_INSERTED = 0xE000


def _flat(node: ast.Constant | ast.JoinedStr) -> tuple[str, list[ast.expr]]:
    """The text with a placeholder for everything that is inserted into it."""
    if isinstance(node, ast.Constant):
        return (node.value if isinstance(node.value, str) else ""), []
    parts: list[ast.expr] = []
    text = ""
    for value in node.values:
        if isinstance(value, ast.Constant):
            text += str(value.value)
        else:
            text += chr(_INSERTED + len(parts))
            parts.append(value)
    return text, parts


def _built(node: ast.Constant | ast.JoinedStr, template: str, parts: list[ast.expr]) -> ast.expr:
    if isinstance(node, ast.Constant):
        return ast.Constant(template)
    values: list[ast.expr] = []
    for character in template:
        number = ord(character) - _INSERTED
        if 0 <= number < len(parts):
            values.append(parts[number])
        elif values and isinstance(values[-1], ast.Constant):
            values[-1] = ast.Constant(str(values[-1].value) + character)
        else:
            values.append(ast.Constant(character))
    return ast.JoinedStr(values)


def _said(template: str, edit: Edit) -> str:
    old = template[edit.start : edit.end]
    around = template[max(0, edit.start - 25) : edit.start], template[edit.end : edit.end + 20]
    new = f"[{edit.new.strip()}]" if edit.new.strip() else "[]"
    text = f"{around[0]}{old}{around[1]} → {new}"
    return " ".join("".join("{}" if ord(c) >= _INSERTED else c for c in text).split())[:160]


def _difference(old: str, new: str) -> str:
    """`…, lease_token=[token → ], state=…`: what changed, with a little around it."""
    old, new = " ".join(old.split()), " ".join(new.split())
    if max(len(old), len(new)) <= 40:
        return f"{old} → {new}"
    begin = _common(old, new)
    end = _common(old[begin:][::-1], new[begin:][::-1])
    lost, put = (_cut(text[begin : len(text) - end]) for text in (old, new))
    before, after = old[:begin], old[len(old) - end :]
    return f"{'…' * (len(before) > 40)}{before[-40:]}[{lost} → {put}]{after[:25]}{'…' * (len(after) > 25)}"


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _cut(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:40]} … {text[-27:]}"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-27:]}"
