"""Machine code from LLVM's language, for the processor we run on, and a cache of it.

The cache is handed in; what is kept there is object code, under a key made of the text, the
compiler's version, the processor and the level of optimisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from ctypes import CFUNCTYPE
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, Protocol

import llvmlite.binding as llvm  # type: ignore[import-untyped]


class CodeCache(Protocol):
    """Keeps bytes under names; it may forget what it likes, but must not change it."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, data: bytes) -> None: ...


class Watched(Protocol):
    """Somebody who hands memory to machine code."""

    def extents(self) -> Iterable[tuple[int, int]]:
        """The addresses at which pieces of the memory begin and end."""


class Effort(IntEnum):
    """How much time the compiler may take."""

    FAST = 0
    """No optimisation at all: for code that is wanted now."""
    PLAIN = 1
    """Good registers, as the text says otherwise."""
    PASSES = 2
    """LLVM's own passes over the text first."""
    TIDY = 3
    """The few of these passes that plain loops gain by, in a third of the time."""


_TIDYING = ("sroa", "instruction_combine", "simplify_cfg", "loop_rotate", "instruction_combine", "simplify_cfg")
"""Passes as llvmlite calls them."""


@dataclass(frozen=True, slots=True)
class Host:
    """The processor we run on."""

    triple: str
    cpu: str
    features: str
    words: int
    """How many 64-bit words a vector register has."""
    ternary: bool
    """Whether it computes any function of three vectors."""

    @property
    def fingerprint(self) -> str:
        """Differs wherever object code may differ."""
        version = ".".join(map(str, llvm.llvm_version_info))
        return "\n".join((version, self.triple, self.cpu, self.features))


@cache
def host() -> Host:
    """Finds out about the processor."""
    _initialise()
    try:
        features: Mapping[str, bool] = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this system well enough to say
        features = {}
    names = ",".join(("+" if on else "-") + name for name, on in sorted(features.items()))
    wide = features.get("avx512f", False) and features.get("avx512vl", False)
    return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), names, 8 if wide else 4, wide)


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


class Library:
    """Loaded machine code: functions by name. It must live as long as their addresses are used."""

    def __init__(self, *codes: bytes) -> None:
        """The functions of some pieces of object code, which all have other names."""
        _initialise()
        # In LLVM's own context, which is never freed: a collection of cyclic garbage would take
        # a context of our own down before the engine whose module lives in it, or after it.
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, _target_machine(Effort.PLAIN))
        for code in codes:
            self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """The address of a function.

        Raises:
            KeyError: there is none of that name.
        """
        address = int(self._engine.get_function_address(name))
        if not address:
            raise KeyError(name)
        return address

    def watch(self, owner: Watched) -> None:
        """Nothing, but for code that checks whether it keeps to somebody's memory; see `ggtp.native.checks`."""

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """A function as a Python callable that lets other threads run while it works; types are those of ctypes."""
        return CFUNCTYPE(result, *arguments)(self.address(name))


def compile_text(text: str, effort: Effort, kept: CodeCache | None = None) -> Library:
    """Compiles LLVM's language, or finds the result in the cache, and loads it."""
    return Library(object_code(text, effort, kept))


def object_code(text: str, effort: Effort, kept: CodeCache | None = None) -> bytes:
    """Compiles LLVM's language, or finds the result in the cache."""
    key = hashlib.sha256(f"{host().fingerprint}\n{effort.value}\n{text}".encode()).hexdigest()
    code = kept.get(key) if kept is not None else None
    if code is None:
        code = _object_code(text, effort)
        if kept is not None:
            kept.put(key, code)
    return code


def _target_machine(effort: Effort) -> Any:
    target = llvm.Target.from_triple(host().triple)
    return target.create_target_machine(
        cpu=host().cpu,
        features=host().features,
        opt=1 if effort is Effort.TIDY else effort.value,
        reloc="pic",
        codemodel="default",
        jit=True,
    )


def _object_code(text: str, effort: Effort) -> bytes:
    _initialise()
    # Freed in this order whatever happens: left to the garbage collector, any order is possible.
    with llvm.create_context() as context, llvm.parse_assembly(text, context=context) as module:
        machine = _target_machine(effort)
        if effort in (Effort.PASSES, Effort.TIDY):
            builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
            manager = _tidying() if effort is Effort.TIDY else None
            (manager or builder.getModulePassManager()).run(module, builder)
        return bytes(machine.emit_object(module))


def _tidying() -> Any:
    """The passes of `Effort.TIDY`; None where llvmlite is too old to have all of them one by one."""
    manager = llvm.create_new_module_pass_manager()
    adders: list[Any] = [getattr(manager, f"add_{name}_pass", None) for name in _TIDYING]
    if None in adders:
        return None
    for add in adders:
        add()
    return manager
