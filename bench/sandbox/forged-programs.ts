/** Draws numbers from a seed, so that a run can be repeated. */
function drawer(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const WAYS: readonly ((bytes: string, draw: (most: number) => number) => string)[] = [
  (bytes) => `code = g.__code__.replace(co_code=${bytes}, co_consts=(), co_names=())`,
  (bytes, draw) =>
    `code = g.__code__.replace(co_code=${bytes}, co_stacksize=${draw(4)}, co_nlocals=${draw(4)})`,
  (bytes) =>
    `code = types.CodeType(0, 0, 0, 0, 2, 3, ${bytes}, (), (), (), "x", "g", "g", 1, b"", b"", (), ())`,
  (bytes) =>
    `import marshal\nraw = bytearray(marshal.dumps(g.__code__))\nraw[40:40 + len(${bytes})] = ${bytes}\ncode = marshal.loads(bytes(raw))`,
  (bytes) => `code = copy.replace(g.__code__, co_code=${bytes}, co_consts=())`,
  (bytes) => `code = g.__code__.__replace__(co_code=${bytes}, co_freevars=())`,
];
const USES: readonly string[] = [
  'types.FunctionType(code, {})()',
  'g.__code__ = code\ng()',
  'exec(code, {})',
  'eval(code)',
];

/**
 * Programs that forge code objects: bytes that no compiler writes, which read and write beyond what they own. Each defines
 * `f`, which passes no test of `f(1) == 2`; some swallow what is thrown at them, some forge while loading and some when called.
 */
export function forgedPrograms(seed: number, count: number): string[] {
  const draw = drawer(seed);
  return Array.from({ length: count }, () => {
    const codes = Array.from({ length: 2 + draw(40) }, () => draw(256));
    const bytes = `bytes([${[149, 0, ...codes].join(', ')}])`;
    const way = WAYS[draw(WAYS.length)]?.(bytes, draw) ?? '';
    const attack = `def g(): return 1\n${way}\n${USES[draw(USES.length)] ?? ''}`;
    const indent = (text: string) => text.replaceAll('\n', '\n    ');
    const guarded = draw(2) === 0 ? attack : `try:\n    ${indent(attack)}\nexcept BaseException: pass`;
    const program =
      draw(2) === 0 ? `${guarded}\ndef f(x): return 0` : `def f(x):\n    ${indent(guarded)}\n    return 0`;
    return `import types, copy\n${program}`;
  });
}
