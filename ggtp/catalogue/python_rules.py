"""Rules that are Python modules: a module attribute `RULES` holds the `Rules` object.

A module can be *sketched*, which reads its name and title from the syntax tree and runs
nothing, and *loaded*, which runs it with the user's rights.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source, module_from_spec, spec_from_file_location
from itertools import count
from linecache import checkcache
from pathlib import Path
from types import CodeType, ModuleType

from ggtp.catalogue.faults import guest_fault
from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.errors import RulesError
from ggtp.native.source import parsed

ATTRIBUTE = "RULES"

_numbers = count(1)
"""Makes private module names unique, so that a reloaded file never meets its older self."""


def sketch(path: Path, content: bytes) -> Sketch:
    """What the source says about itself, without running it. Where it does not say, the name is None."""
    try:
        # Decoded first: of bytes, the compiler counts its columns in bytes.
        source = decode_source(content)
        tree = parsed(source, str(path))
    # ValueError: null bytes. RecursionError and MemoryError: nested deeper than the parser goes.
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        return Sketch(problem=guest_fault(RulesError, fault, path=str(path), content=content))
    module = _Module(tree)
    if not module.binds(ATTRIBUTE):
        return Sketch(problem=_missing(path))
    return Sketch(name=module.text_of("name"), title=module.text_of("title") or "")


def load(file: RuleFile, content: bytes) -> object:
    """Runs the module and gives what its `RULES` is, whatever that may be.

    Modules of a bundled package are imported by their dotted names; any other file becomes a
    module of its own under a private name, and is neither looked for nor compiled on disk.

    Raises:
        RulesError: it can't be run, or has no `RULES`.
    """
    try:
        code = compile(decode_source(content), str(file.path), "exec", dont_inherit=True)
        module = import_module(file.module) if file.module else _run(file.path, code)
    # Why so broad: it is a stranger's code, which may raise or exit as it likes.
    except (Exception, SystemExit) as fault:
        raise guest_fault(RulesError, fault, path=str(file.path), content=content) from fault
    try:
        loaded: object = getattr(module, ATTRIBUTE)
    except AttributeError:
        raise _missing(file.path) from None
    return loaded


def _missing(path: Path) -> RulesError:
    return RulesError(f"the module has no {ATTRIBUTE}, which should hold its Rules object", path=str(path))


def _run(path: Path, code: CodeType) -> ModuleType:
    name = f"_ggtp_guest_{next(_numbers)}_{path.stem}"
    # With its loader, since a file such as HEX.PY would get none.
    spec = spec_from_file_location(name, path, loader=SourceFileLoader(name, str(path)))
    assert spec is not None
    checkcache(str(path))  # tracebacks should quote the file as it is now
    module = module_from_spec(spec)
    # Dataclasses look their module up while they are made.
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module


class _Module:
    """The top level of a module's syntax tree."""

    def __init__(self, tree: ast.Module) -> None:
        self.values: dict[str, ast.expr] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.imports: set[str] = set()
        for node in _top_level(tree.body):
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= {alias.asname or alias.name for alias in node.names}
            else:
                self.values.update(_assignments(node))

    def binds(self, name: str) -> bool:
        """Whether the module may have an attribute of that name."""
        return name in self.values or name in self.imports or "*" in self.imports

    def text_of(self, attribute: str) -> str | None:
        """What `RULES.name` or `RULES.title` is, where that is plain to see."""
        value = self._resolve(self.values.get(ATTRIBUTE))
        if not isinstance(value, ast.Call):
            return None
        for keyword in value.keywords:
            if keyword.arg == attribute:
                return self._text(keyword.value)
        return self._class_text(value.func, attribute, set())

    def _class_text(self, made_by: ast.expr, attribute: str, seen: set[str]) -> str | None:
        if not isinstance(made_by, ast.Name) or made_by.id not in self.classes or made_by.id in seen:
            return None
        node = self.classes[made_by.id]
        own = {name: value for part in node.body for name, value in _assignments(part)}
        if attribute in own:
            return self._text(own[attribute])
        for base in node.bases:
            found = self._class_text(base, attribute, seen | {made_by.id})
            if found is not None:
                return found
        return None

    def _text(self, value: ast.expr) -> str | None:
        constant = self._resolve(value)
        return constant.value if isinstance(constant, ast.Constant) and isinstance(constant.value, str) else None

    def _resolve(self, value: ast.expr | None) -> ast.expr | None:
        """A name as what it was last assigned at the top level."""
        for _ in range(10):  # names may be defined in a circle
            if not isinstance(value, ast.Name):
                return value
            value = self.values.get(value.id)
        return None


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those within `if`, `try` and `with` included."""
    for node in body:
        yield node
        for block in ("body", "orelse", "finalbody"):
            if isinstance(node, ast.If | ast.Try | ast.With):
                yield from _top_level(getattr(node, block, []))
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield from _top_level(handler.body)


def _assignments(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for part, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(part, ast.Name):
                        yield part.id, value
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value
