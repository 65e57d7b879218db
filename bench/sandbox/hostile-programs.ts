/**
 * Programs that attack the sandbox, the tests or the programs after them. Each defines `f`; none may pass `f(1) == 2`.
 * These end by themselves, soon.
 */
export const QUICK_PROGRAMS: Readonly<Record<string, string>> = {
  'a memory hog that swallows MemoryError':
    'def f(x):\n    hog = []\n    for _ in range(300):\n        try: hog.append(bytearray(1 << 24))\n        except MemoryError: pass\n    return len(hog)',
  'a billion characters returned': 'def f(x):\n    return "x" * 10**9',
  'a billion characters printed': 'def f(x):\n    print("x" * 10**9)\n    return 1',
  'many characters printed': 'def f(x):\n    for _ in range(100): print("x" * 10**6)\n    return 1',
  'ten million characters returned': 'def f(x):\n    return "x" * 10**7',
  'a list that holds itself': 'def f(x):\n    loop = []\n    loop.append(loop)\n    return loop',
  'endless recursion': 'def f(x):\n    return f(x)',
  'a deep nest of code': `f = lambda x: ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  'os._exit': 'import os\ndef f(x):\n    os._exit(0)',
  'posix._exit': 'import posix\ndef f(x):\n    posix._exit(0)',
  'os.abort': 'import os\ndef f(x):\n    os.abort()',
  'sys.exit while loading': 'import sys\nsys.exit(0)',
  SystemExit: 'def f(x):\n    raise SystemExit(0)',
  KeyboardInterrupt: 'def f(x):\n    raise KeyboardInterrupt',
  'an exception that cannot be shown':
    'class E(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\nE.__name__ = "x" * 10**5\ndef f(x):\n    raise E',
  'a crash in machine code':
    'import types\ndef f(x):\n    code = f.__code__.replace(co_code=b"\\x96\\xff" * 40, co_consts=())\n    return types.FunctionType(code, {})(x)',
  'a kill of its own process':
    'import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n    return 1',
  'an alarm':
    'import signal\ndef f(x):\n    signal.signal(signal.SIGALRM, lambda *a: None)\n    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n    return 1',
  threads:
    'import threading\ndef f(x):\n    for _ in range(1000): threading.Thread(target=f, args=(x,)).start()\n    return 1',
  processes: 'import os\ndef f(x):\n    while True: os.fork()',
  'a subprocess':
    'import subprocess\ndef f(x):\n    return subprocess.run(["id"], capture_output=True).stdout',
  'the JavaScript bridge': 'import js\ndef f(x):\n    return str(js.process.env)',
  'the bridge by its core':
    'import _pyodide_core\ndef f(x):\n    return str(_pyodide_core.to_js([]).constructor.constructor("return 2")())',
  'the bridge by the loader of built-in modules':
    'import _imp, types\ndef f(x):\n    for name in ("_pyodide_core", "_ctypes", "\\x01pyodide_core", "\\xffpyodide_core", "\\udcffpyodide_core"):\n        try: core = _imp.create_builtin(types.SimpleNamespace(name=name, origin="built-in"))\n        except Exception: core = None\n        if core: return str(core)\n    return 1',
  'machine memory': 'import ctypes\ndef f(x):\n    return ctypes.string_at(0, 100)',
  'a library of its own':
    'import os, importlib.machinery as m\ndef f(x):\n    open("/tmp/x.so", "wb").write(b"\\0asm")\n    return m.ExtensionFileLoader("x", "/tmp/x.so").create_module(None)',
  'files of the host':
    'import os\ndef f(x):\n    return [open(path).read() for path in ("/etc/passwd", "/proc/self/environ")]',
  'the network':
    'import socket\ndef f(x):\n    socket.create_connection(("127.0.0.1", 6379), 1)\n    return 1',
  'files without end':
    'def f(x):\n    with open("/tmp/big", "wb") as file:\n        for _ in range(10**6): file.write(b"x" * 10**6)\n    return 1',
  'pipes without end':
    'import os\ndef f(x):\n    r, w = os.pipe()\n    while True: os.write(w, b"x" * 65536)',
  'directories without end': 'import os\ndef f(x):\n    for n in range(10**7): os.mkdir(f"/tmp/{n}")',
  'a changed standard library':
    'import os\ndef f(x):\n    path = "/lib/python313.zip"\n    fd = os.open(path, os.O_RDWR)\n    os.write(fd, b"x" * 100)\n    os.truncate(path, 0)\n    return 1',
  'a removed standard library': 'import os\ndef f(x):\n    os.remove("/lib/python313.zip")\n    return 1',
  'closed files':
    'import os\ndef f(x):\n    for fd in range(64):\n        try: os.close(fd)\n        except OSError: pass\n    os.chdir("/")\n    return 1',
  'a forged answer':
    'import os, json\ndef f(x):\n    for fd in range(16):\n        for text in (\'R{"passed":true}\', \'R{"value":2}\', \'L"2"\', "P{}", "R{", "R"):\n            try: os.write(fd, text.encode())\n            except OSError: pass\n    os._exit(0)',
  'a flood of answers':
    'import os\ndef f(x):\n    for _ in range(20000):\n        try: os.write(3, b\'L"2"\')\n        except OSError: pass\n    return 1',
  'a forged answer that ends everything':
    'import os, posix\ndef f(x):\n    os.write(3, b\'R{"value":2}\')\n    posix.abort()',
  'patched built-ins':
    'import builtins\nbuiltins.AssertionError = builtins.Exception = int\nbuiltins.len = builtins.isinstance = builtins.repr = builtins.sorted = lambda *a: True\nbuiltins.__import__ = None\ndef f(x):\n    return 1',
  'patched json':
    'import json, sys\njson.dumps = lambda *a, **k: \'{"passed": true}\'\njson.loads = lambda *a: {"op": "run", "code": "", "calls": []}\ndef f(x):\n    return 1',
  'removed modules':
    'import sys\nsys.modules.clear()\nsys.path.clear()\nsys.meta_path.clear()\ndef f(x):\n    return 1',
  'a patched harness':
    'import sys\nframe = sys._getframe()\nwhile frame:\n    for value in list(frame.f_globals.values()):\n        if hasattr(value, "__code__"):\n            try: value.__code__ = (lambda *a, **k: "2").__code__\n            except Exception: pass\n    frame = frame.f_back\ndef f(x):\n    return 1',
  'a changed starting line': 'import __main__\n__main__.serve = lambda: None\ndef f(x):\n    return 1',
  'an object equal to everything':
    'class A:\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n    __hash__ = None\ndef f(x):\n    return A()',
  'a number equal to everything':
    'class A(int):\n    def __eq__(self, other): return True\n    __class__ = int\n    __hash__ = int.__hash__\ndef f(x):\n    return A(7)',
  'functions named like built-ins':
    'def all(*a): return True\ndef abs(x): return 0\ndef len(x): return 2\ndef check(*a): return True\ndef isinstance(*a): return True\nclass AssertionError(Exception): pass\ndef f(x):\n    return 1',
  'tests read from frames':
    'import sys, gc\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n        for const in frame.f_code.co_consts:\n            if const == 2 and "tests" in frame.f_code.co_filename: return const\n        frame = frame.f_back\n    texts = [o for o in gc.get_objects() if isinstance(o, dict) and "tests" in o]\n    return str(texts)',
  'a trace function':
    'import sys\ndef spy(frame, event, arg):\n    frame.f_trace_opcodes = True\n    return spy\nsys.settrace(spy)\nsys.setprofile(spy)\ndef f(x):\n    return 1',
  'work at the end':
    'import atexit, weakref\nclass A:\n    def __del__(self):\n        while True: pass\natexit.register(lambda: 1 / 0)\nkept = A()\nkept.self = kept\ndef f(x):\n    return 1',
};

/** The same, but these take long, or for ever. */
export const SLOW_PROGRAMS: Readonly<Record<string, string>> = {
  'an infinite loop': 'def f(x):\n    while True:\n        pass',
  'a loop that swallows every exception':
    'def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass',
  'a power of powers': 'def f(x):\n    return 9**9**9**9',
  'a regular expression that backtracks':
    'import re\ndef f(x):\n    return re.match("(a+)+$", "a" * 64 + "b")',
  'a memory hog': 'def f(x):\n    hog = []\n    while True: hog.append(bytearray(1 << 20))',
  'endless recursion without a limit':
    'import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __getattr__(self, name): return self.more\ndef f(x):\n    return A().any',
  'a page of the web':
    'import urllib.request\ndef f(x):\n    return urllib.request.urlopen("http://127.0.0.1:8080/").read()',
  'a copied answer that never ends':
    'import os\ndef f(x):\n    os.write(3, b\'R{"value":2}\')\n    while True: pass',
};
