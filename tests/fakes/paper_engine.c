/* An engine written from the paper alone: its Tables 2 and 3, over a plain TCP connection to the Rules.
 *
 *     cc -std=c99 -o paper_engine paper_engine.c
 *     ./paper_engine HOST PORT
 *
 * It plays TicTacToe by taking the first free square, in the order A1, B1, C1, A2, ... C3. It knows nothing of any
 * referee but what the paper says: it answers every query at once, selects a move after have_to_play, has one option
 * (Depth) and one table (number 0), and follows undone and redone moves.
 */
#define _POSIX_C_SOURCE 200112L

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define SQUARES 9
#define LONGEST 4096

static int wire;
static int depth = 3;
static struct { char mark; int square; } moves[SQUARES];
static int recorded, played; /* the moves from played to recorded were undone */

static void say(const char *word, const char *data)
{
    char line[LONGEST];
    const char *at = line;
    size_t left;

    left = (size_t)snprintf(line, sizeof line, data ? "%s %s\n" : "%s\n", word, data);
    while (left > 0) {
        ssize_t written = write(wire, at, left);
        if (written <= 0)
            exit(0); /* the Rules have gone */
        at += written;
        left -= (size_t)written;
    }
}

static void lay_out(char board[SQUARES])
{
    int i;

    memset(board, '.', SQUARES);
    for (i = 0; i < played; i++)
        board[moves[i].square] = moves[i].mark;
}

static char winner(const char board[SQUARES])
{
    static const int threes[8][3] = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {6, 4, 2}};
    int i;

    for (i = 0; i < 8; i++) {
        char mark = board[threes[i][0]];
        if (mark != '.' && mark == board[threes[i][1]] && mark == board[threes[i][2]])
            return mark;
    }
    return 0;
}

static const char *name_of(int square)
{
    static char name[3];

    name[0] = (char)('A' + square % 3);
    name[1] = (char)('1' + square / 3);
    return name;
}

static int square_of(const char *name)
{
    if (strlen(name) != 2 || name[0] < 'A' || name[0] > 'C' || name[1] < '1' || name[1] > '3')
        return -1;
    return (name[1] - '1') * 3 + name[0] - 'A';
}

/* -- the commands that ask for data --------------------------------------------------------------------------- */

static void list_possible_moves(void)
{
    char board[SQUARES], data[64] = "";
    int i;

    lay_out(board);
    for (i = 0; i < SQUARES && !winner(board); i++)
        if (board[i] == '.') {
            if (data[0])
                strcat(data, ", ");
            strcat(data, name_of(i));
        }
    say("reply", data);
}

static void get_result(void)
{
    char board[SQUARES];

    lay_out(board);
    switch (winner(board)) {
    case 'X':
        say("reply", "Cross=win 100, Circle=loss 0");
        break;
    case 'O':
        say("reply", "Cross=loss 0, Circle=win 100");
        break;
    default:
        say("reply", memchr(board, '.', SQUARES) ? "none" : "Cross=draw 50, Circle=draw 50");
    }
}

static void get_table(void)
{
    char board[SQUARES], data[SQUARES + 1];

    lay_out(board);
    memcpy(data, board, SQUARES);
    data[SQUARES] = 0;
    say("reply", data);
}

static void ask_table(const char *number, void (*answer)(void))
{
    if (number && strcmp(number, "0") == 0)
        answer();
    else
        say("invalid_table_number", NULL);
}

static void set_depth(const char *value)
{
    char *end;
    long number = value ? strtol(value, &end, 10) : 0;

    if (!value || *end || number < 1 || number > 9) {
        say("invalid_option_value", NULL);
        return;
    }
    depth = (int)number;
    say("acknowledge", NULL);
}

static void use_option(const char *command, const char *option, const char *value)
{
    char data[16];

    if (!option || strcmp(option, "Depth") != 0)
        say("invalid_option_name", NULL);
    else if (strcmp(command, "set_option") == 0)
        set_depth(value);
    else if (strcmp(command, "get_option") == 0) {
        snprintf(data, sizeof data, "%d", depth);
        say("reply", data);
    } else
        say("reply", "1, 2, 3, 4, 5, 6, 7, 8, 9");
}

/* -- the commands that tell ----------------------------------------------------------------------------------- */

static void made_move(const char *player, const char *move)
{
    int square = move ? square_of(move) : -1;

    if (player && square >= 0 && played < SQUARES) {
        moves[played].mark = strcmp(player, "Cross") == 0 ? 'X' : 'O';
        moves[played].square = square;
        recorded = ++played;
    }
    say("acknowledge", NULL);
}

static void have_to_play(void)
{
    char board[SQUARES];
    int i;

    lay_out(board);
    for (i = 0; i < SQUARES; i++)
        if (board[i] == '.') {
            say("select_move", name_of(i));
            return;
        }
}

/* Obeys one line; false when it was the last. */
static int obey(char *line)
{
    char *command = strtok(line, " \t\r");
    char *first = strtok(NULL, " \t\r");
    char *rest = strtok(NULL, "\r");

    if (!command)
        return 1;
    if (strcmp(command, "list_options") == 0)
        say("reply", "Depth");
    else if (strstr(command, "option"))
        use_option(command, first, rest);
    else if (strcmp(command, "list_possible_moves") == 0)
        ask_table(first, list_possible_moves);
    else if (strcmp(command, "get_result") == 0)
        ask_table(first, get_result);
    else if (strcmp(command, "get_table") == 0)
        ask_table(first, get_table);
    else if (strcmp(command, "have_to_play") == 0)
        have_to_play();
    else if (strcmp(command, "made_move") == 0)
        made_move(first, rest);
    else {
        if (strcmp(command, "start") == 0)
            recorded = played = 0;
        else if (strcmp(command, "undone_move") == 0 && played > 0)
            played--;
        else if (strcmp(command, "redone_move") == 0 && played < recorded)
            played++;
        say("acknowledge", NULL);
    }
    return strcmp(command, "disconnect_engine") != 0;
}

static int connect_to(const char *host, const char *port)
{
    struct addrinfo hints, *found, *one;
    int fd = -1, yes = 1;

    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    for (one = found; one && fd < 0; one = one->ai_next) {
        fd = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (fd >= 0 && connect(fd, one->ai_addr, one->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

int main(int argc, char **argv)
{
    char buffer[LONGEST], *end;
    size_t held = 0;
    ssize_t got;

    if (argc != 3) {
        fprintf(stderr, "usage: %s HOST PORT\n", argv[0]);
        return 2;
    }
    wire = connect_to(argv[1], argv[2]);
    if (wire < 0) {
        fprintf(stderr, "%s: cannot connect to %s port %s\n", argv[0], argv[1], argv[2]);
        return 1;
    }
    while (held < sizeof buffer && (got = read(wire, buffer + held, sizeof buffer - held)) > 0) {
        held += (size_t)got;
        while ((end = memchr(buffer, '\n', held)) != NULL) {
            size_t used = (size_t)(end + 1 - buffer);
            *end = 0;
            if (!obey(buffer))
                return 0;
            memmove(buffer, end + 1, held - used);
            held -= used;
        }
    }
    return 0;
}
