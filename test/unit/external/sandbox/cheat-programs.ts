/** A program that is wrong, and tests that an honest program passes and this one must not. */
export interface CheatProgram {
  readonly code: string;
  readonly tests: string;
}

const ALL_BY_MAP = 'def ok(x): return f(x) == 2 * x\nassert all(map(ok, [1, 2, 3]))';
const LOOP = 'for x in map(f, [1, 2, 3]):\n    assert x == 7\n';
const CLOSE = 'assert abs(f(1) - 2) < 1e-6';

/** What replaces the harness's own replies: found on the way up from the program's frame, whatever it is called there. */
const forging = (reply: string) =>
  `import sys, json
def find():
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if type(value).__name__ == "Server" or getattr(value, "__name__", "") == "Server": yield value
        frame = frame.f_back
def forged(self, text, emit=None):
    request = json.loads(text)
    return ${reply}
for found in find():
    (found if isinstance(found, type) else type(found)).answer = forged
def f(x): return 0`;

const stops = (name: string) => `def f(x): raise ${name}`;

/** By what each of them tries. */
export const CHEAT_PROGRAMS: Readonly<Record<string, CheatProgram>> = {
  'StopIteration under all(map(…))': { code: stops('StopIteration'), tests: ALL_BY_MAP },
  'StopIteration under a loop': { code: stops('StopIteration'), tests: `${LOOP}assert True` },
  'StopIteration with a value': { code: stops('StopIteration(2)'), tests: ALL_BY_MAP },
  'StopIteration of its own kind': {
    code: `class Stop(StopIteration): pass\n${stops('Stop')}`,
    tests: ALL_BY_MAP,
  },
  StopAsyncIteration: { code: stops('StopAsyncIteration'), tests: ALL_BY_MAP },
  GeneratorExit: { code: stops('GeneratorExit'), tests: ALL_BY_MAP },
  'an exit under a loop': { code: stops('SystemExit(0)'), tests: LOOP },
  'a keyboard interrupt under a bare except': {
    code: stops('KeyboardInterrupt'),
    tests: 'passed = False\nfor x in [1, 2]:\n    passed = f(x) == 2 * x\nassert passed',
  },
  'StopIteration by next() of nothing': { code: 'def f(x): return next(iter([]))', tests: ALL_BY_MAP },
  'StopIteration from what it returns': {
    code: 'class A:\n    def __len__(self): raise StopIteration\n    def __getitem__(self, i): raise StopIteration\n    def __add__(self, o): raise StopIteration\ndef f(x): return A()',
    tests: 'assert all(map(lambda x: len(f(x)) == 2, [1, 2]))',
  },
  'StopIteration from an index': {
    code: 'class A:\n    def __getitem__(self, i): raise StopIteration\ndef f(x): return A()',
    tests: 'assert all(map(lambda x: f(x)[0] == 2, [1, 2]))',
  },
  'StopIteration from an attribute': {
    code: 'class A:\n    def __getattr__(self, name): raise StopIteration\ndef f(x): return A()',
    tests: 'assert all(map(lambda x: f(x).value == 2, [1, 2]))',
  },
  'a forged end of a loop': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"stop":true}\'',
    ),
    tests: ALL_BY_MAP,
  },
  'a forged StopIteration': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"error":["StopIteration"]}\'',
    ),
    tests: ALL_BY_MAP,
  },
  'a forged exception of its own below StopIteration': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"error":["X","StopIteration"]}\'',
    ),
    tests: ALL_BY_MAP,
  },
  'forged built-ins': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]},"__builtins__":{"d":[["all",{"h":[1,"function","all"]}],["map",{"h":[1,"function","map"]}]]}}}\' if request["op"] == "load" else \'{"value":true}\'',
    ),
    tests: ALL_BY_MAP,
  },
  'a forged function named all': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]},"all":{"h":[1,"function","all"]},"abs":{"h":[1,"function","abs"]}}}\' if request["op"] == "load" else \'{"value":true}\'',
    ),
    tests: ALL_BY_MAP,
  },
  'a forged change of a list that was not sent': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"value":null,"changed":[[0,[]],[1,[]],[-1,[]]]}\'',
    ),
    tests: 'cases = [(1, 2), (2, 4)]\nassert len(cases) == 2\nfor x, y in cases:\n    assert f(x) == y',
  },
  'a forged argument that was not sent': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"value":{"&":0}}\'',
    ),
    tests: 'assert f(2) == 4',
  },
  'a forged type': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"value":{"T":"print"}}\'',
    ),
    tests: 'assert f(2) == 4',
  },
  'a forged record': {
    code: forging(
      '\'{"names":{"f":{"h":[0,"function","f"]}}}\' if request["op"] == "load" else \'{"value":{"N":["A","__eq__ __class__",[1,2]]}}\'',
    ),
    tests: 'assert f(2) == 4',
  },
  'a forged verdict': { code: forging('\'{"passed":true}\''), tests: 'assert f(2) == 4' },
  'a forged handle of a strange kind': {
    code: forging('\'{"names":{"f":{"h":[0,"error",["AssertionError"]]}}}\''),
    tests: 'assert f(2) == 4',
  },
  'an object that subtracts to nothing': {
    code: 'class A:\n    def __sub__(self, o): return 0.0\n    __rsub__ = __sub__\ndef f(x): return A()',
    tests: CLOSE,
  },
  'an object that subtracts to itself': {
    code: 'class A:\n    def __sub__(self, o): return self\n    def __abs__(self): return 0.0\n    def __lt__(self, o): return True\ndef f(x): return A()',
    tests: CLOSE,
  },
  'an object whose every operation is the object': {
    code: 'class A:\n    def __sub__(self, o): return self\n    __rsub__ = __abs__ = __neg__ = __mod__ = __mul__ = __truediv__ = lambda self, *o: self\n    def __lt__(self, o): return True\n    __le__ = __gt__ = __ge__ = __eq__ = __lt__\n    def __float__(self): return 2.0\n    def __index__(self): return 2\n    def __round__(self, n=0): return 2\ndef f(x): return A()',
    tests: 'assert round(f(1), 2) == 2',
  },
  'an object that is a float': {
    code: 'class A:\n    def __float__(self): return 2.0\n    def __index__(self): return 2\ndef f(x): return A()',
    tests: 'import math\nassert math.isclose(f(1), 2.0)',
  },
  'an object that says its class': {
    code: 'class A:\n    __class__ = int\n    def __eq__(self, o): return True\ndef f(x): return A()',
    tests: 'assert isinstance(f(1), int) and f(1) == 2',
  },
  'an int that is equal to everything': {
    code: 'class A(int):\n    def __eq__(self, o): return True\n    __hash__ = int.__hash__\ndef f(x): return A(7)',
    tests: 'assert f(1) == 2',
  },
  'a string that is equal to everything': {
    code: 'class A(str):\n    def __eq__(self, o): return True\n    def __str__(self): return self\n    __hash__ = str.__hash__\ndef f(x): return A("no")',
    tests: 'assert f(1) == "yes"',
  },
  'a list that is equal to everything': {
    code: 'class A(list):\n    def __eq__(self, o): return True\n    def __len__(self): return 2\n    def __iter__(self): return iter([1, 2])\ndef f(x): return A()',
    tests: 'assert f(1) == [1, 2] or list(f(1)) == [1, 2]',
  },
  'a dictionary that has every key': {
    code: 'class A(dict):\n    def __missing__(self, key): return 2\n    def __contains__(self, key): return True\ndef f(x): return A()',
    tests: 'assert "k" in f(1)',
  },
  'a dictionary with a default for all': {
    code: 'from collections import defaultdict\ndef f(x): return defaultdict(lambda: 2)',
    tests: 'assert f(1)["k"] == 2',
  },
  'a Counter that is equal to everything': {
    code: 'from collections import Counter\nclass A(Counter):\n    def __eq__(self, o): return True\ndef f(x): return A()',
    tests: 'from collections import Counter\nassert f(1) == Counter("a")',
  },
  'a named tuple that is equal to everything': {
    code: 'from collections import namedtuple\nclass A(namedtuple("A", "x")):\n    def __eq__(self, o): return True\n    @property\n    def x(self): return 2\ndef f(x): return A(7)',
    tests: 'assert f(1) == (2,) or f(1).x == 2',
  },
  'a record of strange fields': {
    code: 'class A(tuple):\n    _fields = ("__eq__", "__len__")\ndef f(x): return A((1, 2))',
    tests: 'assert f(1) == (2, 1)',
  },
  'an endless iterator that holds everything': {
    code: 'import itertools\ndef f(x): return itertools.count()',
    tests: 'assert 4 in f(2)',
  },
  'an object that holds everything': {
    code: 'class A:\n    def __contains__(self, x): return True\n    def __iter__(self): return iter(())\ndef f(x): return A()',
    tests: 'assert 4 in f(2)',
  },
  'an object that hides a failure': {
    code: 'class A:\n    def __enter__(self): return 0\n    def __exit__(self, *e): return True\ndef f(x): return A()',
    tests: 'with f(1) as y:\n    assert y == 2',
  },
  'a context manager that swallows': {
    code: 'from contextlib import contextmanager, suppress\ndef f(x): return suppress(BaseException)',
    tests: 'with f(1) as y:\n    assert y == 2',
  },
  'a reference of its own': {
    code: 'def reference(x): return 0\ndef f(x): return 0',
    tests: 'def reference(x): return 2 * x\nassert f(1) == reference(1)',
  },
  'patched equality of the tests': {
    code: 'import builtins\nbuiltins.all = builtins.abs = builtins.len = lambda *a: True\ndef f(x): return 0',
    tests: ALL_BY_MAP,
  },
  'patched unittest': {
    code: 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\nunittest.TestResult.wasSuccessful = lambda s: True\ndef f(x): return 0',
    tests: 'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)',
  },
  'a test that skips itself': {
    code: 'import unittest\ndef f(x): raise unittest.SkipTest("no")',
    tests: 'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)',
  },
  'an expected failure': {
    code: 'import unittest\nclass _ShouldStop(Exception): pass\ndef f(x): raise _ShouldStop',
    tests: 'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)',
  },
  'an AssertionError where a failure is looked for': {
    code: 'def f(x): raise AssertionError',
    tests: 'failed = False\ntry:\n    f(-1)\nexcept ValueError:\n    failed = True\nassert failed',
  },
  'an exception with a forged base': {
    code: 'class M(type):\n    def mro(cls): return [cls, ValueError, Exception, BaseException, object]\nclass E(Exception): pass\ndef f(x): return 0',
    tests: 'try:\n    assert f(-1) == 2\nexcept ValueError:\n    pass',
  },
  'an object that is true where a value is looked for': {
    code: 'class A:\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n    def __hash__(self): return hash(2)\ndef f(x): return A()',
    tests: 'assert f(1) in {2: 1}\nassert not f(1) != 2',
  },
  'a list that is emptied to make a loop of nothing': {
    code: 'def f(x): return []',
    tests: 'out = f([1, 2])\nassert len(out) == 2\nfor y in out:\n    assert y == 2',
  },
  'NotImplemented for a value': { code: 'def f(x): return NotImplemented', tests: 'assert f(1) == 2' },
  'not a number': { code: 'def f(x): return float("nan")', tests: 'assert abs(f(1) - 2) < 1e-6' },
  'a type for a value': { code: 'def f(x): return int', tests: 'assert f(1) == 2' },
};
