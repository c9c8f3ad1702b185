"""Runs the Python blocks of a page in one namespace, like the cells of a notebook.

Each line of standard input is a request: `{"file": …, "state": …, "background": …}`. `state` is a file of shell variables that
are the environment of the block. The output of a block ends with a line of the token in the first argument and `ok` or `failed`.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import traceback

token = sys.argv[1]
namespace = {"__name__": "__main__"}


def run(file: str) -> bool:
    try:
        with open(file) as source:
            exec(compile(source.read(), file, "exec"), namespace)
        return True
    except SystemExit as end:
        return not end.code
    except BaseException:
        traceback.print_exc()
        return False


def end_block(is_ok: bool) -> None:
    sys.stderr.flush()
    print(f"\n{token} {'ok' if is_ok else 'failed'}", flush=True)


# The runner interrupts a stream after some lines of output. Programs started in the background ignore this signal by default.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, os.getcwd())
for line in sys.stdin:
    request = json.loads(line)
    variables = subprocess.run(["bash", "-c", f". '{request['state']}'; exec env -0"], capture_output=True, text=True).stdout
    os.environ.update(entry.split("=", 1) for entry in variables.split("\0") if "=" in entry)
    if request["background"]:
        thread = threading.Thread(target=run, args=(request["file"],), daemon=True)
        thread.start()
        thread.join(1)
        end_block(thread.is_alive())
    else:
        end_block(run(request["file"]))
