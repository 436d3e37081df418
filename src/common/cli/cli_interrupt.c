/*
 * cli_interrupt.c: SIGINT and SIGTERM end a command that works for long, however it was started.
 *
 * A background shell starts its commands with SIGINT ignored, and a mask is inherited too. Both would make `kill -INT`
 * do nothing, so a command that can end cleanly listens again. The first signal calls the handler, the second ends the
 * program.
 *
 * Paper: none.
 * Check: tests/http/drive.py: Ctrl-C that was ignored and blocked.
 */
#include "cli.h"

#include <signal.h>

void cli_on_interrupt(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &both, NULL);
}
