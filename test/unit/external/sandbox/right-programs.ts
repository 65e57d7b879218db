/** A program that is right, in a style that not everybody writes, and tests that it has to pass. */
export interface RightProgram {
  readonly code: string;
  readonly tests: string;
  /** `f` where it is left out. */
  readonly entry?: string | null;
}

const DOUBLE = 'assert f(3) == 6\nassert f(0) == 0';
const LIST = 'assert f([1, 2]) == [2, 4]\nassert f([]) == []';

/** By what is unusual about them. */
export const RIGHT_PROGRAMS: Readonly<Record<string, RightProgram>> = {
  'a lambda': { code: 'f = lambda x: 2 * x', tests: DOUBLE },
  'a walrus': { code: '(f := lambda x: 2 * x)', tests: DOUBLE },
  'two names at once': { code: 'g, f = (lambda x: x), (lambda x: 2 * x)', tests: DOUBLE },
  'an object that can be called': {
    code: 'class F:\n    def __call__(self, x): return 2 * x\nf = F()',
    tests: DOUBLE,
  },
  'a class that makes something else': {
    code: 'class f:\n    def __new__(cls, x): return 2 * x',
    tests: DOUBLE,
  },
  'a bound method': { code: 'class F:\n    def go(self, x): return 2 * x\nf = F().go', tests: DOUBLE },
  'a static method': {
    code: 'class F:\n    @staticmethod\n    def go(x): return 2 * x\nf = F.go',
    tests: DOUBLE,
  },
  'a method of a built-in type': { code: 'f = str.upper', tests: 'assert f("ab") == "AB"' },
  'a method of a literal': { code: 'f = {1: 2, 3: 4}.get', tests: 'assert f(3) == 4\nassert f(2) is None' },
  'a formatter': { code: 'f = "<{}>".format', tests: 'assert f(3) == "<3>"' },
  'a partial function': {
    code: 'from functools import partial\nf = partial(map, str)',
    tests: 'assert list(f([1, 2])) == ["1", "2"]',
  },
  'a getter': { code: 'from operator import itemgetter\nf = itemgetter(1)', tests: 'assert f([1, 2]) == 2' },
  'a compiled pattern': {
    code: 'import re\nf = re.compile(r"\\d+").findall',
    tests: 'assert f("a1b22") == ["1", "22"]',
  },
  'a built-in': { code: 'f = sorted', tests: 'assert f([2, 1]) == [1, 2]' },
  'a cache': {
    code: 'from functools import lru_cache\n@lru_cache(None)\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)',
    tests: 'assert f(50) == 12586269025',
  },
  'a decorator of its own': {
    code: 'def twice(g):\n    def inner(x): return g(x) * 2\n    return inner\n@twice\ndef f(x): return x',
    tests: DOUBLE,
  },
  'a definition by text': { code: 'exec("def f(x): return 2 * x")', tests: DOUBLE },
  'a definition by name': { code: 'globals()["f"] = lambda x: 2 * x', tests: DOUBLE },
  'a definition on its module': {
    code: 'import sys\nsetattr(sys.modules[__name__], "f", lambda x: 2 * x)',
    tests: DOUBLE,
  },
  'definitions in a loop': {
    code: 'for name in ("f", "g"):\n    globals()[name] = lambda x: 2 * x',
    tests: DOUBLE,
  },
  'a definition under a condition': {
    code: 'if 1 < 2:\n    def f(x): return 2 * x\nelse:\n    def f(x): return x',
    tests: DOUBLE,
  },
  'a definition in a try': {
    code: 'try:\n    import numpy as np\n    def f(x): return int(np.int64(2) * x)\nexcept ImportError:\n    def f(x): return 2 * x',
    tests: DOUBLE,
  },
  'an import that it does not use': {
    code: 'import numpy as np\nimport pandas as pd\ndef f(x): return 2 * x',
    tests: DOUBLE,
  },
  'an import from a package, unused': {
    code: 'from numpy import array\nimport matplotlib.pyplot as plt\ndef f(x): return 2 * x',
    tests: DOUBLE,
  },
  'hints of a package': {
    code: 'import numpy as np\ndef f(x: np.ndarray) -> "np.ndarray": return 2 * x',
    tests: DOUBLE,
  },
  'hints of the future': {
    code: 'from __future__ import annotations\ndef f(x: Nothing) -> Missing: return 2 * x',
    tests: DOUBLE,
  },
  'a type alias': { code: 'type Number = int | float\ndef f[T](x: T) -> T: return 2 * x', tests: DOUBLE },
  'a match': {
    code: 'def f(x):\n    match x:\n        case []: return []\n        case [a, *rest]: return [2 * a, *f(rest)]',
    tests: LIST,
  },
  'a walrus in a loop': {
    code: 'def f(x):\n    out = []\n    while len(out) < len(x) and (y := x[len(out)]) is not None: out.append(2 * y)\n    return out',
    tests: LIST,
  },
  'a generator where a list is made of it': {
    code: 'def f(n):\n    yield from range(n)',
    tests: 'assert list(f(3)) == [0, 1, 2]\nassert sum(f(4)) == 6',
  },
  'a generator that is looked at step by step': {
    code: 'def f(n):\n    yield n\n    yield n + 1',
    tests: 'it = f(3)\nassert next(it) == 3\nassert next(it) == 4\nassert next(it, None) is None',
  },
  'a map': { code: 'def f(x): return map(lambda y: 2 * y, x)', tests: 'assert list(f([1, 2])) == [2, 4]' },
  'keys of a dictionary': {
    code: 'def f(d): return d.keys()',
    tests:
      'assert f({"b": 1, "a": 2}) == {"a", "b"}\nassert list(f({"b": 1, "a": 2})) == ["b", "a"]\nassert "a" in f({"a": 1})',
  },
  'values of a dictionary': {
    code: 'def f(d): return d.values()',
    tests: 'assert list(f({"b": 1, "a": 2})) == [1, 2]\nassert sum(f({"a": 3})) == 3',
  },
  'items of a dictionary': {
    code: 'def f(d): return d.items()',
    tests: 'assert dict(f({"a": 1})) == {"a": 1}\nassert sorted(f({"b": 1, "a": 2})) == [("a", 2), ("b", 1)]',
  },
  'a Counter': {
    code: 'from collections import Counter\nf = Counter',
    tests:
      'assert f("aab") == {"a": 2, "b": 1}\nassert f("aab")["z"] == 0\nassert f("aab").most_common(1) == [("a", 2)]',
  },
  'an ordered dictionary': {
    code: 'from collections import OrderedDict\ndef f(x): return OrderedDict((y, None) for y in x)',
    tests:
      'r = f("ba")\nassert list(r) == ["b", "a"]\nassert r == {"a": None, "b": None}\nr.move_to_end("b")\nassert list(r) == ["a", "b"]',
  },
  'a named tuple': {
    code: 'from collections import namedtuple\nP = namedtuple("P", "x y")\ndef f(a): return P(a, 2 * a)',
    tests: 'assert f(1) == (1, 2)\nassert f(3).y == 6\nx, y = f(2)\nassert y == 4',
  },
  'a typed named tuple': {
    code: 'class P(NamedTuple):\n    x: int\n    y: int = 0\ndef f(a): return [P(a)]',
    tests: 'assert f(1) == [(1, 0)]\nassert f(1)[0].x == 1',
  },
  'a data class': {
    code: 'from dataclasses import dataclass\n@dataclass(order=True)\nclass P:\n    x: int\n    tags: list\ndef f(a): return P(a, [a])',
    tests: 'assert f(1).x == 1\nassert f(1) == f(1)\nassert f(1) < f(2)\nassert f(1).tags == [1]',
  },
  'an enumeration': {
    code: 'from enum import IntEnum\nclass C(IntEnum):\n    ONE = 1\ndef f(x): return C(x)',
    tests: 'assert f(1) == 1\nassert [f(1)] == [1]',
  },
  'a string enumeration': {
    code: 'from enum import StrEnum\nclass C(StrEnum):\n    A = "a"\ndef f(x): return C(x)',
    tests: 'assert f("a") == "a"',
  },
  'a number of its own class': { code: 'class N(int):\n    pass\ndef f(x): return N(2 * x)', tests: DOUBLE },
  'a list of its own class': {
    code: 'class L(list):\n    pass\ndef f(x): return L(2 * y for y in x)',
    tests: LIST,
  },
  'a UserList': {
    code: 'from collections import UserList\ndef f(x): return UserList(2 * y for y in x)',
    tests: 'assert list(f([1, 2])) == [2, 4]\nassert len(f([1])) == 1\nassert f([1, 2])[1] == 4',
  },
  'an array': {
    code: 'from array import array\ndef f(x): return array("i", (2 * y for y in x))',
    tests: 'assert list(f([1, 2])) == [2, 4]\nassert f([1])[0] == 2',
  },
  'a type': {
    code: 'def f(x): return type(x)',
    tests: 'assert f(1) is int\nassert f("a") == str\nassert f(None) is type(None)',
  },
  'a constant of the language': {
    code: 'def f(x): return ... if x else NotImplemented',
    tests: 'assert f(1) is ...\nassert f(1) == Ellipsis\nassert f(0) is NotImplemented',
  },
  'the list that it was given': {
    code: 'def f(x):\n    x.sort()\n    return x',
    tests: 'a = [2, 1]\nassert f(a) is a\nassert a == [1, 2]',
  },
  'a list changed in place': {
    code: 'def f(x): x[:] = [2 * y for y in x]',
    tests: 'a = [1, 2]\nassert f(a) is None\nassert a == [2, 4]',
  },
  'a matrix changed in place': {
    code: 'def f(m):\n    for row in m: row.reverse()',
    tests: 'm = [[1, 2], [3, 4]]\nrow = m[0]\nf(m)\nassert m == [[2, 1], [4, 3]]\nassert row == [2, 1]',
  },
  'a method with state': {
    code: 'class Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n    def pop(self): return self.items.pop()\n    def __len__(self): return len(self.items)',
    tests:
      's = Stack()\ns.push(1)\ns.push(2)\nassert s.pop() == 2\nassert len(s) == 1\nassert s.items == [1]',
    entry: 'Stack',
  },
  'operators of its own class': {
    code: 'class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return V(self.x + o.x)\n    def __mul__(self, k): return V(self.x * k)\n    def __eq__(self, o): return self.x == o.x\n    def __neg__(self): return V(-self.x)',
    tests: 'assert V(1) + V(2) == V(3)\nassert (V(2) * 3).x == 6\nassert (-V(2)).x == -2',
    entry: 'V',
  },
  'a context manager': {
    code: 'from contextlib import contextmanager\n@contextmanager\ndef f(x):\n    yield 2 * x',
    tests: 'with f(3) as y:\n    assert y == 6',
  },
  'an object that can be indexed': {
    code: 'class G:\n    def __getitem__(self, i): return i * i\ndef f(): return G()',
    tests: 'assert f()[4] == 16',
  },
  'a function that is returned': {
    code: 'def f(n):\n    def add(x): return x + n\n    return add',
    tests: 'assert f(2)(3) == 5\nassert list(map(f(1), [1, 2])) == [2, 3]',
  },
  'an error that is asked for': {
    code: 'def f(x):\n    if x < 0: raise ValueError("negative")\n    return 2 * x',
    tests: `${DOUBLE}\ntry:\n    f(-1)\nexcept ValueError as error:\n    assert "negative" in str(error)\nelse:\n    assert False`,
  },
  'an error of its own kind': {
    code: 'class Bad(ValueError):\n    pass\ndef f(x): raise Bad("no")',
    tests: 'try:\n    f(1)\n    assert False, "it went on"\nexcept ValueError:\n    pass',
  },
  'a deep recursion': {
    code: 'import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return 0 if n == 0 else 2 + f(n - 1)',
    tests: 'assert f(900) == 1800',
  },
  'a pickle of its own class': {
    code: 'import pickle\nclass P:\n    def __init__(self, x): self.x = x\ndef f(x): return pickle.loads(pickle.dumps(P(2 * x))).x',
    tests: DOUBLE,
  },
  'a deep copy of its own class': {
    code: 'import copy\nclass P:\n    def __init__(self, x): self.x = [x]\ndef f(x): return copy.deepcopy(P(2 * x)).x[0]',
    tests: DOUBLE,
  },
  'a look at its own signature': {
    code: 'import inspect\ndef f(x): return (1 + len(inspect.signature(f).parameters)) * x',
    tests: DOUBLE,
  },
  'a metaclass': {
    code: 'class M(type):\n    def __call__(cls, x): return 2 * x\nclass f(metaclass=M): pass',
    tests: DOUBLE,
  },
  'a single dispatch': {
    code: 'from functools import singledispatch\n@singledispatch\ndef f(x): return None\n@f.register\ndef _(x: int): return 2 * x',
    tests: DOUBLE,
  },
  'a lock and a clock': {
    code: 'import threading, time\nlock = threading.Lock()\ndef f(x):\n    with lock:\n        time.sleep(0.001)\n        return 2 * x if time.time() > 0 else x',
    tests: DOUBLE,
  },
  'standard input read early': {
    code: 'import sys\ninput = sys.stdin.readline\ndef f(x): return 2 * x',
    tests: DOUBLE,
  },
  'output on the way': {
    code: 'import sys, logging\nlogging.basicConfig(level=logging.DEBUG)\nprint("start", file=sys.stderr, flush=True)\nsys.stdout.write("x")\ndef f(x):\n    logging.info("x %s", x)\n    print(x)\n    return 2 * x',
    tests: DOUBLE,
  },
  'a module-level __getattr__': {
    code: 'def __getattr__(name): raise AttributeError(name)\ndef f(x): return 2 * x',
    tests: DOUBLE,
  },
  'a doctest at its end': {
    code: 'def f(x):\n    """\n    >>> f(1)\n    2\n    """\n    return 2 * x\nimport doctest\ndoctest.testmod()',
    tests: DOUBLE,
  },
  'a unittest at its end': {
    code: 'import unittest\ndef f(x): return 2 * x\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)\nunittest.main(argv=["x"], exit=False)',
    tests: DOUBLE,
  },
  'a call of unittest.main in the tests': {
    code: 'def f(x): return 2 * x',
    tests:
      'import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 2)\nunittest.main()',
  },
  'asserts that count': {
    code: 'def f(x): return {x, 2 * x}',
    tests:
      'import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertCountEqual(f(1), [2, 1])\n        self.assertIn(4, f(2))\n        self.assertIsInstance(f(1), set)',
  },
  decimals: {
    code: 'from decimal import Decimal\ndef f(x): return Decimal(x) * 2',
    tests:
      'from decimal import Decimal\nassert f("1.10") == Decimal("2.20")\nassert str(f("1.10")) == "2.20"',
  },
  'fractions of its own class': {
    code: 'from fractions import Fraction\nclass Q(Fraction): pass\ndef f(x): return Q(x, 2)',
    tests: 'from fractions import Fraction\nassert f(1) == Fraction(1, 2)\nassert f(2) == 1',
  },
  'a date of its own class': {
    code: 'import datetime\nclass D(datetime.date): pass\ndef f(y): return D(y, 1, 2)',
    tests: 'import datetime\nassert f(2020) == datetime.date(2020, 1, 2)\nassert f(2020).year == 2020',
  },
  'a chain of maps': {
    code: 'from collections import ChainMap\ndef f(a, b): return ChainMap(a, b)',
    tests: 'assert dict(f({"a": 1}, {"b": 2})) == {"a": 1, "b": 2}\nassert f({"a": 1}, {})["a"] == 1',
  },
  'bytes and views': {
    code: 'def f(x): return memoryview(bytes(x))',
    tests: 'assert bytes(f([1, 2])) == b"\\x01\\x02"\nassert f([7])[0] == 7',
  },
  'a match of a pattern': {
    code: 'import re\ndef f(x): return re.match(r"(\\w)(\\d)", x)',
    tests:
      'assert f("a1").group(2) == "1"\nassert f("a1").groups() == ("a", "1")\nassert f("-") is None\nassert f("a1")',
  },
  'arguments by name and by star': {
    code: 'def f(*args, scale=2, **more): return [scale * x for x in args] + sorted(more)',
    tests: 'assert f(1, 2, b=1, a=2) == [2, 4, "a", "b"]\nassert f(1, scale=3) == [3]',
  },
};
