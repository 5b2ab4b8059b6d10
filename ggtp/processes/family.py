"""All the processes that an engine has brought into the world, and how to be rid of them.

An engine's processes are known by four signs: a token in their environment (which a child inherits through any number
of forks, new sessions and dead parents), the session that the engine was started in, being a child of one that is
known, and on Linux a mark: a limit on something that nobody uses, so high that it limits nothing, with a number of its
own. A child inherits it whatever else it gives up. Only a process that was made before the engine was marked, right
after its start, or that lowers the limit on purpose, and gives up the other three as well, gets away.

The file is also a program, started as `python family.py TOKEN`: the undertaker. Through its standard input it is told
which sessions, marks, folders and control groups there are. When that ends, which happens when the referee does,
however that comes about, it kills and removes what the referee left behind. It imports nothing of ours so that it
starts fast, without a site directory.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import signal
import sys
import time
from collections.abc import Collection, Iterator

VARIABLE = "GGTP_ENGINE"
_SIGN = VARIABLE.encode() + b"="

_numbers = itertools.count(1)
_referee = ""  # how the tokens of this process begin
_referee_pid = 0
_undertaker: object = None
_to_undertaker = -1

NO_MARK = 0
_HIGHEST_MARK = 1 << 62
_LOWEST_MARK = 1 << 50  # microseconds on a processor in real time: 35 years, which is no limit to anybody
_MARKS = 1 << 40

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

GROUP_SECONDS = 5.0  # for the kernel to take away what was killed in a control group
GONE_SECONDS = 0.5  # an engine that notices by itself that its referee is gone may end in its own way


def new_token() -> str:
    """A token for an engine that this process is about to start. With the first one an undertaker is started."""
    _begin()
    return f"{_referee}{next(_numbers)}."


def _begin() -> None:
    """Have a token and an undertaker of this process's own; a copy of the process needs others."""
    global _referee, _referee_pid
    if _referee_pid != os.getpid():
        _referee = f"{os.urandom(8).hex()}."
        _referee_pid = os.getpid()
        _start_undertaker(_referee)


def _start_undertaker(token: str) -> None:
    """Have somebody outlive us, for the day when we are killed. Nothing depends on it, so nothing waits for it.

    A parent-death signal would not do: it has to be asked for between fork and exec, where no code is safe in a program
    with threads; it comes when the starting *thread* ends; and it does not reach grandchildren.
    """
    global _undertaker, _to_undertaker
    from ggtp.processes.spawn import NOTHING, Apart, spawn  # not for the undertaker itself

    read, _to_undertaker = os.pipe()  # our end closes when this process ends, since no program inherits it
    os.set_blocking(_to_undertaker, False)
    with contextlib.suppress(OSError):
        command = [sys.executable or "python3", "-I", "-S", __file__, token]
        _undertaker = spawn(command, stdin=read, stdout=NOTHING, stderr=NOTHING, cwd="/", apart=Apart.SESSION)
    os.close(read)


def mark(pid: int) -> int:
    """Give an engine, and whatever it will bring into the world, a mark; NO_MARK where that can't be done."""
    try:
        _, highest = resource.prlimit(pid, resource.RLIMIT_RTTIME)
        # An engine may be a referee with engines of its own: nobody may give a higher limit than the one he has.
        highest = _HIGHEST_MARK if highest == resource.RLIM_INFINITY else highest
        number = highest - 1 - int.from_bytes(os.urandom(5), "big") % _MARKS
        if number < _LOWEST_MARK:
            return NO_MARK
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (number, number))
    except (AttributeError, OSError, ValueError):  # not Linux, or the engine has ended already
        return NO_MARK
    return number


def session_begins(pid: int, number: int = NO_MARK) -> None:
    """Let the undertaker know of an engine's session, and of its mark."""
    _tell_undertaker(b"+%d %d\n" % (pid, number))


def session_ends(pid: int, number: int = NO_MARK) -> None:
    """Let the undertaker know that the numbers stand for nothing any more."""
    _tell_undertaker(b"-%d %d\n" % (pid, number))


def folder_begins(path: str) -> None:
    """Let the undertaker remove a folder for temporary files, should we be killed before we can."""
    _begin()
    _tell_undertaker_of(b"<", path)


def folder_ends(path: str) -> None:
    """Let the undertaker know that the folder is gone."""
    _tell_undertaker_of(b">", path)


def remove_folder(path: str) -> None:
    """Remove a folder that an engine has filled, as far as we may; it follows no links.

    shutil.rmtree calls itself for each folder in a folder, and fails where an engine has made thousands of them, or
    has taken the right to look into one.
    """
    own = f".{os.urandom(8).hex()}-"
    with contextlib.suppress(OSError):
        top = os.open(path, _FOLDER)
        try:
            numbers = itertools.count()
            moved = _emptied(top, top, own, numbers)
            for name in moved:  # it grows meanwhile
                with contextlib.suppress(OSError):
                    inner = os.open(name, _FOLDER, dir_fd=top)
                    try:
                        moved += _emptied(inner, top, own, numbers)
                    finally:
                        os.close(inner)
                    os.rmdir(name, dir_fd=top)
        finally:
            os.close(top)
        os.rmdir(path)


def _emptied(folder: int, top: int, own: str, numbers: Iterator[int]) -> list[str]:
    """Remove the files of a folder, and move its folders up to the top; their names there."""
    moved = []
    with os.scandir(folder) as scan:
        entries = list(scan)
    for entry in entries:
        with contextlib.suppress(OSError):
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.name, dir_fd=folder)
                continue
            name = f"{own}{next(numbers)}"
            os.chmod(entry.name, 0o700, dir_fd=folder)
            os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=top)
            moved.append(name)
    return moved


def group_begins(path: str) -> None:
    """Let the undertaker kill what is in a control group, and remove it, should we be killed before we can."""
    _begin()
    _tell_undertaker_of(b"[", path)


def group_ends(path: str) -> None:
    """Let the undertaker know that the control group is gone."""
    _tell_undertaker_of(b"]", path)


def _tell_undertaker_of(sign: bytes, path: str) -> None:
    line = sign + os.fsencode(path) + b"\n"
    if os.path.isabs(path) and line.count(b"\n") == 1:
        _tell_undertaker(line)


def _tell_undertaker(line: bytes) -> None:
    with contextlib.suppress(OSError):  # it is gone, or stuck: there is no more that we can do
        os.write(_to_undertaker, line)


def find(token: str, sessions: Collection[int] = (), marks: Collection[int] = ()) -> set[int]:
    """The living processes whose token begins so, or which are in one of the sessions or have one of the marks, and
    all their descendants."""
    ours = set()
    for name in _names("/proc"):
        if name.isdecimal() and _belongs(name, token.encode(), sessions, marks):
            ours.add(int(name))
    return ours.union(*map(descendants, ours)) - {os.getpid()}


def _belongs(name: str, token: bytes, sessions: Collection[int], marks: Collection[int]) -> bool:
    pid = int(name)
    try:
        if os.getsid(pid) in sessions:
            return _is_alive(name)
    except OSError:
        return False
    if marks and _mark_of(pid) in marks:
        return _is_alive(name)
    # A process that is no more, but not reaped, has no environment.
    environment = _read(f"/proc/{name}/environ")
    if _SIGN not in environment:
        return False
    for setting in environment.split(b"\0"):
        if setting.startswith(_SIGN):
            # An engine may be a referee with engines of its own: each adds its token to the one it was given.
            return any(part.startswith(token) for part in setting[len(_SIGN) :].split(b"/"))
    return False


def _mark_of(pid: int) -> int:
    """The mark of a process, if it has any; -1 where we may not know."""
    try:
        return resource.prlimit(pid, resource.RLIMIT_RTTIME)[1]
    except (AttributeError, OSError):
        return -1


def _is_alive(name: str) -> bool:
    """Whether this is a process, and not one which has ended and waits to be reaped."""
    return _state(name) not in (b"", b"Z", b"X")


def is_stopped(pid: int) -> bool:
    """Whether a signal has stopped a process, so that it does nothing until another one; False where nobody knows."""
    return _state(str(pid)) == b"T"


def _state(name: str) -> bytes:
    status = _read(f"/proc/{name}/stat")
    return status.rpartition(b")")[2].lstrip()[:1]


def descendants(pid: int) -> set[int]:
    """The process and its children, their children, and so on, as far as the kernel tells."""
    found: set[int] = set()
    new = [pid]
    while new:
        pid = new.pop()
        found.add(pid)
        for thread in _names(f"/proc/{pid}/task"):
            new += [c for c in map(int, _read(f"/proc/{pid}/task/{thread}/children").split()) if c not in found]
    return found


def memory_bytes(pids: set[int], limit: int, kept: int = 0) -> int:
    """How much memory the processes use together, and their files in memory.

    The sum of what each has resident counts shared pages several times, so only a sum over `limit` is looked at more
    closely, which takes longer.

    Args:
        pids: the processes.
        limit: what they may use.
        kept: how much is in their files in memory; what is mapped of them is theirs, too.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for pid in pids:
        fields = _read(f"/proc/{pid}/statm").split()
        # Pages that come from files can be dropped at any time; they are in the third field, with the shared ones.
        total += int(fields[1]) * page if len(fields) > 1 else 0
    if total + kept <= limit:
        return total + kept
    alone, shared = map(sum, zip(*map(_proportional, pids), strict=True)) if pids else (0, 0)
    return alone + max(shared, kept)


def _proportional(pid: int) -> tuple[int, int]:
    """What a process uses of memory that has no file, and of such as can be shared; of each page that it shares with
    N others, a part of N + 1. Pages of files on a disk do not count."""
    alone = shared = 0
    for row in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if row.startswith(b"Pss_Anon:"):
            alone = int(row.split()[1]) * 1024
        elif row.startswith(b"Pss_Shmem:"):
            shared = int(row.split()[1]) * 1024
    return alone, shared


def threads_of_user(user: int) -> int:
    """How many threads the user has in this machine: what the kernel compares with RLIMIT_NPROC."""
    total = 0
    for name in _names("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                status = os.stat(f"/proc/{name}/task")
                if status.st_uid == user:
                    total += status.st_nlink - 2
    return total


def tell(pids: set[int], number: int) -> None:
    """Send a signal to each of the processes, as far as they exist and are ours."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def kill(pids: set[int]) -> None:
    """Kill the processes; all of them are stopped first, so that none can make another while we are at it."""
    tell(pids, signal.SIGSTOP)
    tell(pids, signal.SIGKILL)


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(fd, 65536):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _undertake(token: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sessions: set[int] = set()
    marks: set[int] = set()
    folders: set[bytes] = set()
    groups: set[bytes] = set()
    signs = {b"<": folders.add, b">": folders.discard, b"[": groups.add, b"]": groups.discard}
    with open(0, "rb", buffering=0) as told:
        for line in told:
            if line[:1] in signs:
                signs[line[:1]](line[1:-1])
                continue
            begins, (session, own_mark) = line[:1] == b"+", map(int, line[1:].split())
            (sessions.add if begins else sessions.discard)(session)
            # A mark is never given again: whoever has it still when all engines are gone has hidden from the referee.
            marks.add(own_mark)
    marks.discard(NO_MARK)
    now = time.monotonic()
    while (family := find(token, sessions, marks)) and time.monotonic() < now + GONE_SECONDS:
        time.sleep(0.02)
    while family and time.monotonic() < now + 10:
        kill(family)
        time.sleep(0.005)
        family = find(token, sessions, marks)
    for group in groups:
        _end_group(os.fsdecode(group))
    for folder in folders:
        remove_folder(os.fsdecode(folder))


def _end_group(path: str) -> None:
    """Kill what is in a control group, and remove it once that has ended."""
    with contextlib.suppress(OSError):
        handle = os.open(f"{path}/cgroup.kill", os.O_WRONLY)
        with contextlib.suppress(OSError):
            os.write(handle, b"1")
        os.close(handle)
    deadline = time.monotonic() + GROUP_SECONDS
    while time.monotonic() < deadline:
        try:
            os.rmdir(path)
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.005)


if __name__ == "__main__":
    _undertake(sys.argv[1])
