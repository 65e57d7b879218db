"""
Runs one program on a remote service: answers the given requests in order. Neither tests nor what they expect are here.

`JOB` has been defined before this text: sources, requests, mark and the longest line.
"""

import json
import os
import subprocess
import sys

# In a process of its own, for its hash seed.
PROGRAM_MAIN = """
import json, os, sys, types
answers = os.fdopen(os.dup(1), "w")
job = json.load(sys.stdin)
null = os.open(os.devnull, os.O_RDWR)
for fd in (0, 1, 2):
    os.dup2(null, fd)

modules = {}
for name, text in job["sources"].items():
    modules[name] = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, "<" + name + ">", "exec", dont_inherit=True), modules[name].__dict__)
for name in modules:
    del sys.modules[name]
server = modules["program"].Server()
modules["program"].prepare_builtins()

def send(kind, text):
    if len(text) > job["longest"]:
        os.abort()
    answers.write(job["mark"] + kind + text + "\\n")
    answers.flush()

for request in job["requests"]:
    send("R", server.answer(request, lambda line: send("L", json.dumps(line))))
"""

subprocess.run(
    [sys.executable, "-c", PROGRAM_MAIN],
    input=json.dumps(JOB),
    stderr=subprocess.DEVNULL,
    env={**os.environ, "PYTHONHASHSEED": "0"},
    text=True,
)
