"""Does one job on a remote service, where it is the whole program: the tests here, the program in a process of its own.

`JOB` has been defined before this text: sources, request, mark and the longest line.
"""

import json
import os
import subprocess
import sys
import types

PROGRAM_MAIN = """
import json, os, sys
answers = os.fdopen(os.dup(1), "w")
null = os.open(os.devnull, os.O_RDWR)
os.dup2(null, 1)
os.dup2(null, 2)
requests = os.fdopen(os.dup(0), "r")
os.dup2(null, 0)
first = json.loads(requests.readline())
exec(first["loader"])
modules = load_sources(first["sources"])
server = modules["program"].Server()
modules["program"].prepare_builtins()

def send(kind, text):
    answers.write(kind + text + "\\n")
    answers.flush()

while request := requests.readline():
    send("R", server.answer(json.loads(request), lambda line: send("L", json.dumps(line))))
"""

LOADER = """
def load_sources(sources):
    import sys, types
    modules = {}
    for name, text in sources.items():
        modules[name] = sys.modules[name] = types.ModuleType(name)
        exec(compile(text, "<" + name + ">", "exec", dont_inherit=True), modules[name].__dict__)
    for name in modules:
        del sys.modules[name]
    return modules
"""


class Program:
    """The process that has the program; it knows nothing of the tests."""

    def __init__(self, sources, on_line):
        self.on_line = on_line
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM_MAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            text=True,
        )
        self.write(json.dumps({"loader": LOADER, "sources": sources}))

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, text):
        """The reply to a request; None when the process has ended or said too much."""
        try:
            self.write(json.dumps(text))
        except OSError:
            return None
        while line := self.process.stdout.readline(JOB["longest"] + 1):
            if not line.endswith("\n"):
                return None
            if line[0] == "R":
                return line[1:-1]
            if line[0] == "L":
                self.on_line(line[1:-1])
        return None


def say(kind, text):
    sys.stdout.write(JOB["mark"] + kind + text + "\n")
    sys.stdout.flush()


def run():
    exec(LOADER, globals())
    sources, request = JOB["sources"], JOB["request"]
    program_sources = {name: text for name, text in sources.items() if name != "tests"}
    if request["op"] == "run":
        reply = Program(program_sources, lambda line: say("L", line)).ask(json.dumps(request))
        say("E" if reply is None else "R", reply or "")
        return
    tests = load_sources({name: sources[name] for name in ("values", "names", "tests")})["tests"]
    if request["op"] == "plan":
        say("R", json.dumps(tests.plan(request)))
        return
    program = Program(program_sources, lambda line: None)
    say("R", json.dumps(tests.run_tests(request, program.ask)))


run()
