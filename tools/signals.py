"""Signals as a test needs them, however it was started.

A background shell ignores SIGINT, nohup ignores SIGHUP, and children inherit what is ignored or blocked. A program
under test would then not hear what its test sends.
"""
import signal


def reset():
    """No signal that tests send is ignored or blocked, here and in what is started from here."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(one, signal.SIG_DFL)
