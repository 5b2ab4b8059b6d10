"""Rules that are Python modules or packages: an attribute `RULES` holds the `Rules` object.

A module can be *sketched*, which reads its name and title from the syntax tree and runs
nothing, and *loaded*, which runs it with the user's rights.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import decode_source, module_from_spec, spec_from_file_location
from itertools import count
from linecache import checkcache
from pathlib import Path
from types import CodeType, ModuleType

from ggtp.catalogue.faults import guest_fault
from ggtp.catalogue.loaders import PACKAGE_FILE, RuleFile, Sketch
from ggtp.catalogue.paths import read_file
from ggtp.errors import RulesError
from ggtp.native.source import parsed

ATTRIBUTE = "RULES"

PRIVATE = "_ggtp_guest_"
"""How the names of modules begin that were found by a path."""

_numbers = count(1)
"""Makes private module names unique, so that a reloaded file never meets its older self."""


def package_file(folder: Path) -> Path | None:
    """The file of a folder that is a package with rules; None for any other folder, which may hold rules by itself."""
    path = folder / PACKAGE_FILE
    try:
        return path if ATTRIBUTE.encode() in read_file(path, RulesError) else None
    except RulesError:
        return None


def sketch(path: Path, content: bytes) -> Sketch:
    """What the source says about itself, without running it. Where it does not say, the name is None.

    A package may import its `RULES` from one of its modules: then that one is read.
    """
    return _sketch(path, content, ATTRIBUTE)


def _sketch(path: Path, content: bytes, attribute: str) -> Sketch:
    try:
        # Decoded first: of bytes, the compiler counts its columns in bytes.
        source = decode_source(content)
        tree = parsed(source, str(path))
    # ValueError: null bytes. RecursionError and MemoryError: nested deeper than the parser goes.
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        return Sketch(problem=guest_fault(RulesError, fault, path=str(path), content=content))
    module = _Module(tree)
    if not module.binds(attribute):
        return Sketch(problem=_missing(path))
    if path.name == PACKAGE_FILE and attribute in module.siblings:
        sibling, original = module.siblings[attribute]
        try:
            module_file = path.with_name(f"{sibling}.py")
            return _sketch(module_file, read_file(module_file, RulesError), original)
        except RulesError:
            return Sketch()
    return Sketch(name=module.text_of(attribute, "name"), title=module.text_of(attribute, "title") or "")


def load(file: RuleFile, content: bytes) -> object:
    """Runs the module and gives what its `RULES` is, whatever that may be.

    Modules of a bundled package are imported by their dotted names; any other file becomes a
    module of its own under a private name, and is neither looked for nor compiled on disk. So
    do the modules of any other package, which import each other by relative names.

    Raises:
        RulesError: it can't be run, or has no `RULES`.
    """
    try:
        code = compile(decode_source(content), str(file.path), "exec", dont_inherit=True)
        module = import_module(file.module) if file.module else _run(file, code)
    # Why so broad: it is a stranger's code, which may raise or exit as it likes.
    except (Exception, SystemExit) as fault:
        raise guest_fault(RulesError, fault, path=str(file.path), content=content, package=file.package) from fault
    try:
        loaded: object = getattr(module, ATTRIBUTE)
    except AttributeError:
        raise _missing(file.path) from None
    return loaded


def _missing(path: Path) -> RulesError:
    return RulesError(f"the module has no {ATTRIBUTE}, which should hold its Rules object", path=str(path))


def _run(file: RuleFile, code: CodeType) -> ModuleType:
    path, package = file.path, file.package
    name = f"{PRIVATE}{next(_numbers)}_{path.stem if package is None else package.name}"
    # With its loader, since a file such as HEX.PY would get none.
    within = None if package is None else [str(package)]
    spec = spec_from_file_location(
        name, path, loader=SourceFileLoader(name, str(path)), submodule_search_locations=within
    )
    assert spec is not None
    for source in (path, *file.others()):
        checkcache(str(source))  # tracebacks should quote the file as it is now
    if FINDER not in sys.meta_path:
        sys.meta_path.insert(0, FINDER)
    module = module_from_spec(spec)
    # Dataclasses look their module up while they are made.
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        for loaded in [other for other in sys.modules if other == name or other.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module


class _Source(SourceFileLoader):
    """Reads a module as it is now: no compiled code is kept on the disk, where it could be older than the source."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Finder(MetaPathFinder):
    """Finds the modules of packages that have a private name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for folder in (path or ()) if fullname.startswith(PRIVATE) else ():
            spec = FileFinder(folder, (_Source, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None and spec.loader is not None:
                return spec
        return None


FINDER = _Finder()


class _Module:
    """The top level of a module's syntax tree."""

    def __init__(self, tree: ast.Module) -> None:
        self.values: dict[str, ast.expr] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.imports: set[str] = set()
        self.siblings: dict[str, tuple[str, str]] = {}
        """Names that are imported from modules of the same package: the module, and the name there."""
        for node in _top_level(tree.body):
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= {alias.asname or alias.name for alias in node.names}
                if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                    self.siblings |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
            else:
                self.values.update(_assignments(node))

    def binds(self, name: str) -> bool:
        """Whether the module may have an attribute of that name."""
        return name in self.values or name in self.imports or "*" in self.imports

    def text_of(self, holder: str, attribute: str) -> str | None:
        """What `RULES.name` or `RULES.title` is, where that is plain to see."""
        value = self._resolve(self.values.get(holder))
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
