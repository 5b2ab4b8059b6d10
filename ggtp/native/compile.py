"""Functions in the language of `ggtp.native` → LLVM's language, for inner loops that must run without the interpreter.

Loading a general compiler takes an engine a second each time it starts; what is made here is a text, whose machine
code `ggtp.native.machine` keeps in a cache.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from enum import EnumType
from types import ModuleType
from typing import Any

from ggtp.native import checks, language
from ggtp.native.assignment import check_assignments
from ggtp.native.expressions import Callee, Expressions, Scope
from ggtp.native.kinds import VOID, NotNative, Signature
from ggtp.native.source import parsed
from ggtp.native.statements import Statements
from ggtp.native.writer import Sites, Writer

DECLARATIONS = """declare double @llvm.sqrt.f64(double)
declare double @llvm.log.f64(double)
declare double @llvm.fabs.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""

_BUILTIN_MODULES = ("builtins", "math", "numpy", language.__name__)


class Names:
    """What the names of a module mean, apart from functions and constants, which its users look up."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.globals: Mapping[str, Any] = function.__globals__

    def found(self, name: str) -> object:
        """What a name, or one name of another module or of an enumeration, stands for."""
        owner, _, attr = name.rpartition(".")
        if not owner:
            return self.globals.get(name, getattr(builtins, name, None))
        found = self.globals.get(owner)
        return getattr(found, attr, None) if isinstance(found, ModuleType | EnumType) else None

    def builtin(self, name: str) -> str:
        """The last part of the name of a function that may belong to the language, or nothing."""
        home = getattr(self.found(name), "__module__", "")
        return name.rpartition(".")[2] if home in _BUILTIN_MODULES else ""


class _Listed(Names):
    """Functions that know each other by name, and constants that are handed in."""

    def __init__(
        self, function: Callable[..., Any], callees: Mapping[str, Callee], constants: Mapping[str, int | float]
    ) -> None:
        super().__init__(function)
        self._callees, self._constants = callees, constants

    def number(self, name: str) -> int | float | None:
        return self._constants.get(name)

    def callee(self, name: str) -> Callee | None:
        return self._callees.get(name)


def module_text(
    functions: Sequence[Callable[..., Any]],
    constants: Mapping[str, int | float],
    *,
    shared: bool,
    sites: Sites | None = None,
) -> str:
    """The functions as a module in LLVM's language, each under its own name.

    Args:
        functions: those that call each other and that others call.
        constants: numbers that the functions use by name.
        shared: whether several threads work on the same memory; alone, nothing need be done at once.
        sites: where checks are noted; None for code without checks.

    Raises:
        NotNative: they use more than there is.
    """
    callees = {function.__name__: Callee(function.__name__, Signature(function)) for function in functions}
    texts = [
        function_text(function, callee, _Listed(function, callees, constants), shared, sites)
        for function, callee in zip(functions, callees.values(), strict=True)
    ]
    return DECLARATIONS + "\n".join([*texts, *([] if sites is None else [check_text()])])


def check_text() -> str:
    """What the checks of a module need."""
    callees = {name: Callee(f"native.{name}", Signature(function)) for name, function in checks.FUNCTIONS.items()}
    constants = {name: value for name, value in vars(checks).items() if name.isupper() and isinstance(value, int)}
    texts = [
        function_text(function, callees[name], _Listed(function, callees, constants), True, None)
        for name, function in checks.FUNCTIONS.items()
    ]
    return "\n".join([checks.MEMORY, *texts])


def function_text(function: Callable[..., Any], own: Callee, scope: Scope, shared: bool, sites: Sites | None) -> str:
    """A function in LLVM's language.

    Args:
        function: the function.
        own: its name and its signature.
        scope: what the names that it uses mean.
        shared: see `module_text`.
        sites: see `module_text`.

    Raises:
        NotNative: it uses what the language does not have.
    """
    lines, first = inspect.getsourcelines(function)
    file = inspect.getsourcefile(function) or "?"
    tree = parsed(textwrap.dedent("".join(lines)), file).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise NotNative(f"{file}:{first}: {own.symbol} is no plain function")
    signature = own.signature
    out = Writer(file, first, tree, signature.result, shared, sites)
    _check_head(out, tree)
    check_assignments(tree, signature.result is not VOID, out.refuse)
    arguments = []
    for name, kind in zip(signature.names, signature.kinds, strict=True):
        out.declare(name, kind)
        arguments.append(f"{kind.llvm} %a.{name}")
        out.line(f"store {kind.llvm} %a.{name}, ptr %v.{name}")
        if kind.sized:
            arguments.append(f"i64 %a.{name}.size")
            out.line(f"store i64 %a.{name}.size, ptr %v.{name}.size")
    Statements(out, Expressions(out, scope)).block(tree.body)
    if not out.ended:
        out.end("ret void" if signature.result is VOID else "unreachable")
    return f"define {signature.result.llvm} @{own.symbol}({', '.join(arguments)}) nounwind {{\n{out.body()}\n}}\n"


def _check_head(out: Writer, tree: ast.FunctionDef) -> None:
    """Refuse what a function may have and the language does not."""
    arguments = tree.args
    others = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.posonlyargs)
    if any(others) or arguments.defaults:
        raise out.refuse(tree, "only arguments without default values, which can be given by place, are known")
    for decorator in tree.decorator_list:
        if ast.unparse(decorator) != "compiled":
            raise out.refuse(tree, f"the decorator {ast.unparse(decorator)} is not known")
