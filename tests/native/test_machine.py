from __future__ import annotations

import os
import subprocess
import sys
from ctypes import c_int64

import pytest
from support.lanes import Kept

from ggtp.native import machine
from ggtp.native.machine import Effort, Library, compile_text, host

DOUBLE = "define i64 @double(i64 %x) {\n%y = add i64 %x, %x\nret i64 %y\n}\n"


@pytest.mark.parametrize("effort", Effort)
def test_text_becomes_a_function(effort: Effort) -> None:
    library = compile_text(DOUBLE, effort)
    assert library.function("double", c_int64, c_int64)(21) == 42


def test_kept_code_is_used_again() -> None:
    kept = Kept()
    compile_text(DOUBLE, Effort.PLAIN, kept)
    assert (len(kept), kept.hits) == (1, 0)
    library = compile_text(DOUBLE, Effort.PLAIN, kept)
    assert (len(kept), kept.hits) == (1, 1)
    assert library.function("double", c_int64, c_int64)(4) == 8
    (code,) = kept.values()
    assert Library(code).function("double", c_int64, c_int64)(5) == 10


def test_other_text_and_other_effort_are_kept_apart() -> None:
    kept = Kept()
    compile_text(DOUBLE, Effort.PLAIN, kept)
    compile_text(DOUBLE, Effort.FAST, kept)
    compile_text(DOUBLE.replace("add", "mul"), Effort.PLAIN, kept)
    assert (len(kept), kept.hits) == (3, 0)


def test_there_is_no_such_function() -> None:
    with pytest.raises(KeyError, match="triple"):
        compile_text(DOUBLE, Effort.FAST).address("triple")


def test_the_processor_is_known() -> None:
    assert host().words in (4, 8)
    assert host().triple in host().fingerprint
    assert host().cpu in host().fingerprint


CYCLES = """
import gc, sys
from ggtp.native.machine import Effort, Library, compile_text
codes = {}
class Kept:
    get = staticmethod(codes.get)
    put = staticmethod(codes.__setitem__)
compile_text(sys.argv[1], Effort.PASSES, Kept())
gc.disable()
for _ in range(20):
    for _ in range(20):
        library = Library(*codes.values())
        library.itself = library
    del library
    gc.collect()
"""


@pytest.mark.process
def test_libraries_in_cyclic_garbage_go_in_peace() -> None:
    # Freed memory is filled, so that whoever still reads it falls over at once.
    environment = os.environ | {"MALLOC_PERTURB_": "165"}
    subprocess.run([sys.executable, "-c", CYCLES, DOUBLE], check=True, timeout=120, env=environment)


def test_an_llvmlite_without_single_passes_does_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_TIDYING", ("sroa", "no such thing"))
    assert machine._tidying() is None
    library = compile_text(DOUBLE, Effort.TIDY)
    assert library.function("double", c_int64, c_int64)(21) == 42
