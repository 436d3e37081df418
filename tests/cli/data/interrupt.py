"""interrupt.py COMMAND...: runs it with a terminal as standard error and sends it SIGINT when the first line of its
progress is there, however long that takes. Ends with its exit code."""
import os
import pty
import signal
import subprocess
import sys

terminal, inner = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stderr=inner)
os.close(inner)
try:
    said = os.read(terminal, 4096)
    if not said.startswith(b"\r"):  # so it is no progress
        sys.stderr.buffer.write(said)
    process.send_signal(signal.SIGINT)
except OSError:
    pass  # it ended without a word
sys.exit(process.wait())
