"""A referee that was written from the published protocol alone drives our engines, byte for byte.

It knows the words of Tables 2 and 3, sockets and pipes, and nothing of this project but how the
engine programs are called. What it says stands on lines that begin with `>`, what it must hear on
lines that begin with `<`.
"""

import os
import select
import socket
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.process

SECONDS = 60
"""Only for a test that fails; one that passes never waits so long."""


class Referee:
    """Speaks lines over two descriptors."""

    def __init__(self, process, fd_in, fd_out):
        self.process = process
        self._in = fd_in
        self._out = fd_out
        self._heard = b""

    def say(self, data):
        while data:
            data = data[os.write(self._out, data) :]

    def hear(self):
        """The next line with its end, or what is left at the end."""
        deadline = time.monotonic() + SECONDS
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"nothing more than {self._heard!r}"
            data = os.read(self._in, 65536)
            if not data:
                rest, self._heard = self._heard, b""
                return rest
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line + b"\n"

    def silent(self):
        """Whether nothing has been heard that was not expected."""
        return not self._heard and not select.select([self._in], [], [], 0)[0]

    def follow(self, script):
        for row in script.splitlines():
            mark, _, text = row.strip().partition(" ")
            if mark == ">":
                self.say(text.encode().decode("unicode_escape").encode() + b"\n")
            elif mark == "<":
                assert self.hear() == text.encode() + b"\n"


@pytest.fixture(name="referee", params=["tcp", "stdio"])
def make_referee(request):
    """Starts an engine and gives the referee's end of the conversation with it."""
    ends = []

    def over_tcp(argv):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(SECONDS)
            process = subprocess.Popen([*argv, f"127.0.0.1:{server.getsockname()[1]}"], stdin=subprocess.DEVNULL)
            connection, _ = server.accept()
        connection.setblocking(True)
        ends.append((process, connection))
        return Referee(process, connection.fileno(), connection.fileno())

    def over_stdio(argv):
        process = subprocess.Popen([*argv, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ends.append((process, None))
        return Referee(process, process.stdout.fileno(), process.stdin.fileno())

    def start(module, *arguments):
        argv = [sys.executable, "-m", f"ggtp.engines.{module}", *arguments]
        return over_tcp(argv) if request.param == "tcp" else over_stdio(argv)

    yield start
    for process, connection in ends:
        process.kill()
        process.communicate(timeout=SECONDS)
        if connection is not None:
            connection.close()


FIGURE_1 = """
    > connect_engine
    < acknowledge
    > set_option Depth 8
    < acknowledge
    > start
    < acknowledge
    > made_move Cross A1
    < acknowledge
    > have_to_play
    < select_move B2
    > made_move Circle B2
    < acknowledge
    > made_move Cross A2
    < acknowledge
    > have_to_play
    < select_move A3
    > made_move Circle A3
    < acknowledge
    > undone_move
    < acknowledge
    """

THE_REST = """
    > list_possible_moves 0
    < reply Circle=B1,C1,C2,A3,B3,C3
    > redone_move
    < acknowledge
    > get_table 0
    < reply X../XO./O.. Cross
    > get_result 0
    < reply none
    > get_table 1
    < invalid_table_number
    > list_possible_moves 7
    < invalid_table_number
    > get_result -1
    < invalid_table_number
    > made_move Cross C1
    < acknowledge
    > have_to_play 5000
    < select_move B1
    > illegal_move B1 the umpire says so
    < acknowledge
    > made_move Circle B3
    < acknowledge
    > made_move Cross B1
    < acknowledge
    > get_result 0
    < reply Cross=win 100, Circle=loss 0
    > list_possible_moves 0
    < reply
    > disconnect_engine
    < acknowledge
    """


def test_figure_1_and_on_to_the_end(referee):
    """The engine side of the published sample play, then everything else that can be said."""
    play = referee("minimax", "--rule", "TicTacToe", "--player", "Circle")
    play.follow(FIGURE_1)
    play.follow(THE_REST)
    assert play.hear() == b""
    assert play.process.wait(SECONDS) == 0


def test_options(referee):
    play = referee("minimax")
    play.follow("""
        > connect_engine
        < acknowledge
        > list_options
        < reply Depth, Time, Deepening, Pruning, Ordering, Extension, Cache, Mobility, Novelty, Proximity, Learning, \
Evaluation, RiskTaking, Risk, Opponents, Ahead, Watcher, Compiled, rule, rule_text, rule_options, player, seed, \
threads, memory, start_clock, last_search, refusal
        > get_option Depth
        < reply 0
        > list_option_choices Depth
        < reply 0..64
        > set_option Depth 5
        < acknowledge
        > get_option Depth
        < reply 5
        > set_option Depth deep
        < invalid_option_value
        > set_option Deepness 5
        < invalid_option_name
        > get_option Deepness
        < invalid_option_name
        > list_option_choices Deepness
        < invalid_option_name
        > set_option rule PhantomTicTacToe
        < invalid_option_value
        > set_option rule TicTacToe
        < acknowledge
        > get_option rule
        < reply TicTacToe
        > disconnect_engine
        < acknowledge
        """)
    assert play.hear() == b""
    assert play.process.wait(SECONDS) == 0


def test_blanks_tabs_and_ends_of_lines(referee):
    play = referee("minimax", "--rule", "TicTacToe")
    play.follow(r"""
        > connect_engine\r
        < acknowledge
        > start
        < acknowledge
        >
        > \r
        > made_move\tCross\tA1\r
        < acknowledge
        >   made_move   Circle   B2
        < acknowledge
        > get_table\t0
        < reply X../.O./... Cross
        """)
    play.say(b"get_re")
    assert play.silent()
    play.say(b"sult 0\nget_table 0\nget_ta")
    assert play.hear() == b"reply none\n"
    assert play.hear() == b"reply X../.O./... Cross\n"
    play.say(b"ble 0\n")
    assert play.hear() == b"reply X../.O./... Cross\n"


def test_questions_and_withdrawals_while_it_thinks(referee):
    """Nobody can search this board to its end: the engine thinks until it is told otherwise."""
    play = referee("minimax", "--rule", "ConnectFour")
    play.follow("""
        > connect_engine
        < acknowledge
        > set_option Depth 0
        < acknowledge
        > set_option Time 0
        < acknowledge
        > start
        < acknowledge
        > made_move Yellow D
        < acknowledge
        > have_to_play
        > get_result 0
        < reply none
        > list_possible_moves 0
        < reply Red=A,B,C,D,E,F,G
        > get_option Depth
        < reply 0
        > set_option Depth 1
        < acknowledge
        > get_table 3
        < invalid_table_number
        > undone_move
        < acknowledge
        > redone_move
        < acknowledge
        > set_option Depth 0
        < acknowledge
        > have_to_play
        > made_move Red D
        < acknowledge
        > have_to_play
        > start
        < acknowledge
        > get_option last_search
        < reply none
        > have_to_play
        > get_option Time
        < reply 0
        """)
    assert play.silent()
    play.follow("""
        > disconnect_engine
        < acknowledge
        """)
    assert play.hear() == b""
    assert play.process.wait(SECONDS) == 0


def test_a_whole_game_of_random_moves(referee):
    """The referee plays by its own idea of the rules: nine squares, no square twice, three in a row."""
    play = referee("random_mover", "--rule", "TicTacToe")
    free = [column + row for row in "123" for column in "ABC"]
    lines = [{"A" + row, "B" + row, "C" + row} for row in "123"]
    lines += [{column + "1", column + "2", column + "3"} for column in "ABC"]
    lines += [{"A1", "B2", "C3"}, {"A3", "B2", "C1"}]
    held = {"Cross": set(), "Circle": set()}
    play.follow("""
        > connect_engine
        < acknowledge
        > start
        < acknowledge
        """)
    winner = None
    for turn in range(9):
        mover = ("Cross", "Circle")[turn % 2]
        play.say(b"list_possible_moves 0\n")
        assert play.hear() == f"reply {mover}={','.join(free)}\n".encode()
        play.say(b"have_to_play\n")
        word, _, move = play.hear().decode().rstrip("\n").partition(" ")
        assert word == "select_move"
        assert move in free
        free.remove(move)
        held[mover].add(move)
        play.say(f"made_move {mover} {move}\n".encode())
        assert play.hear() == b"acknowledge\n"
        if any(line <= held[mover] for line in lines):
            winner = mover
            break
        play.say(b"get_result 0\n")
        if free:
            assert play.hear() == b"reply none\n"
        else:
            assert play.hear() == b"reply Cross=draw 50, Circle=draw 50\n"
    if winner is not None:
        cross, circle = ("win 100", "loss 0") if winner == "Cross" else ("loss 0", "win 100")
        play.say(b"get_result 0\n")
        assert play.hear() == f"reply Cross={cross}, Circle={circle}\n".encode()
    for _ in range(9 - len(free)):
        play.follow("""
            > undone_move
            < acknowledge
            """)
    play.follow("""
        > get_table 0
        < reply .../.../... Cross
        > disconnect_engine
        < acknowledge
        """)
    assert play.hear() == b""
    assert play.process.wait(SECONDS) == 0


def test_a_referee_that_hangs_up(referee):
    play = referee("minimax", "--rule", "ConnectFour")
    play.follow("""
        > connect_engine
        < acknowledge
        > set_option Depth 0
        < acknowledge
        > set_option Time 0
        < acknowledge
        > start
        < acknowledge
        > have_to_play
        > get_result 0
        < reply none
        """)
    if play.process.stdin is not None:
        play.process.stdin.close()
        play.process.stdin = None
    else:
        with socket.socket(fileno=os.dup(play._out)) as connection:
            connection.shutdown(socket.SHUT_WR)
    assert play.hear() == b""
    assert play.process.wait(SECONDS) == 0
