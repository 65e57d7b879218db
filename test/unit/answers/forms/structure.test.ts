import { describe, expect, it } from 'vitest';
import { canonicalKey } from '../../../../src/answers/canonical-key.ts';
import { grade } from '../../../../src/answers/grade.ts';

const ENDS = [
  ['1', '2'],
  ['\\frac12', '3'],
  ['-4', '\\sqrt2'],
] as const;

/** Spellings of answers that a pair of numbers can stand in; those with the same key are one answer. */
function spellings(a: string, b: string): string[] {
  const brackets = ['(', '['].flatMap((open) => [')', ']'].map((close) => [open, close] as const));
  return [
    ...brackets.flatMap(([open, close]) => {
      const low = open === '[' ? '\\le' : '<';
      const high = close === ']' ? '\\le' : '<';
      return [
        `${open}${a},${b}${close}`,
        `\\left${open} ${a}, ${b} \\right${close}`,
        `x \\in ${open}${a}, ${b}${close}`,
        `${a} ${low} x ${high} ${b}`,
        `\\{x \\mid ${a} ${low} x ${high} ${b}\\}`,
        `x ${high} ${b} \\text{ and } ${a} ${low} x`,
      ];
    }),
    `${a}, ${b}`,
    `${b},\\; ${a}`,
    `\\{${a}, ${b}\\}`,
    `\\left\\{${b},${a}\\right\\}`,
    `x = ${a} \\text{ or } x = ${b}`,
    `x=${b}, ${a}`,
    `\\{${a}\\} \\cup \\{${b}\\}`,
    `x \\in \\{${a}, ${b}\\}`,
    `\\{(${a},${b})\\}`,
    `\\{\\{${a},${b}\\}\\}`,
    `\\{${a}, \\{${b}\\}\\}`,
    `(${b}, ${a})`,
    `(${a}, ${b}, 9)`,
    `[${a}, ${b}, 9]`,
    `${a}, ${b}, 9`,
    `\\begin{pmatrix} ${a} \\\\ ${b} \\end{pmatrix}`,
    `\\begin{bmatrix} ${a} & ${b} \\end{bmatrix}`,
    `(-\\infty, ${a}) \\cup (${b}, \\infty)`,
    `x < ${a} \\text{ or } x > ${b}`,
    `\\mathbb{R} \\setminus [${a}, ${b}]`,
    `(-\\infty, ${a}] \\cup [${b}, \\infty)`,
    `(${a}, ${b}) \\cup \\{9\\}`,
    `x > ${a}, y < ${b}`,
    `x < ${b}, y > ${a}`,
    `\\{(${a},${b}), (9,9)\\}`,
    `(${a},${b}), (9,9)`,
    `\\{${a},${b}\\}, \\{9\\}`,
    `${a}, ${b}, 9, 9`,
    `[${a},${b};9,9]`,
    `x + ${a} y = ${b}`,
    `${b} = x + ${a} y`,
    `0 = x + ${a} y - ${b}`,
    `${a} = x + ${b} y`,
  ];
}

/** Answers that name their unknowns: a bare list is accepted for the values of such a system, and of nothing else. */
function named(a: string, b: string): string[] {
  return [
    `x=${a}, y=${b}`,
    `y=${b}, x=${a}`,
    `x=${a},\\quad y=${b}`,
    `\\begin{cases} x=${a} \\\\ y=${b} \\end{cases}`,
  ];
}

const BARE = ENDS.flatMap(([a, b]) => spellings(a, b));
const NAMED = ENDS.flatMap(([a, b]) => named(a, b));
const ALL = [...BARE, ...NAMED];

function classes(answers: readonly string[]): string[][] {
  const byKey = new Map<string, string[]>();
  for (const answer of answers) {
    const key = canonicalKey(answer) ?? '';
    byKey.set(key, [...(byKey.get(key) ?? []), answer]);
  }
  return [...byKey.values()];
}

describe('the structure of answers', () => {
  it('gives one verdict to all spellings of an answer, against every other', () => {
    const different: string[] = [];
    for (const [first = '', ...others] of [...classes(BARE), ...classes(NAMED)]) {
      for (const other of ALL) {
        const verdict = grade(first, other).equal;
        for (const spelling of others)
          if (grade(spelling, other).equal !== verdict) different.push(`${spelling} for ${other}`);
      }
    }
    expect(different).toEqual([]);
  });

  it('is graded alike from either side', () => {
    const different = ALL.flatMap((a) => ALL.filter((b) => grade(a, b).equal !== grade(b, a).equal));
    expect(different).toEqual([]);
  });

  it('is accepted beyond its key for named unknowns only', () => {
    const accepted = BARE.flatMap((a) =>
      BARE.filter((b) => canonicalKey(a) !== canonicalKey(b) && grade(a, b).equal).map(
        (b) => `${a} for ${b}`,
      ),
    );
    expect(accepted).toEqual([]);
    for (const [a, b] of ENDS) {
      for (const system of named(a, b)) {
        expect(grade(`${b}, ${a}`, system).equal).toBe(true);
        expect(grade(`[${a}, ${b}]`, system).equal).toBe(false);
      }
    }
  });

  it('pays neither the ends of an interval nor their list for the interval', () => {
    for (const [a, b] of ENDS) {
      for (const truth of [
        `[${a},${b})`,
        `(${a},${b}]`,
        `[${a},${b}]`,
        `(${a},${b})`,
        `${a} \\le x < ${b}`,
      ]) {
        for (const hedge of [
          `${a}, ${b}`,
          `\\{${a}, ${b}\\}`,
          `x=${a} \\text{ or } x=${b}`,
          `${a} \\text{ and } ${b}`,
        ])
          expect([hedge, truth, grade(hedge, truth).equal]).toEqual([hedge, truth, false]);
      }
    }
  });
});

/** Answers with one meaningful token each in brackets, and what else could stand there. */
const MUTATIONS: ReadonlyArray<readonly [before: string, token: string, after: string, others: string[]]> = [
  ['', '4', '=x^2+y^2', ['9', '0', 'z']],
  ['', '0', '=4x-3y-2', ['1']],
  ['x^2+y^2=3^2=', '9', '', ['16']],
  ['\\frac{x}{2}=\\frac{y}{', '3', '}=\\frac{z}{4}', ['5']],
  ['p ', '\\land', ' q', ['\\lor', '\\to', '\\oplus', ',', '\\iff', '\\wedge\\neg']],
  ['p ', '∧', ' q', ['∨', '→', '⊕']],
  ['', '\\forall', ' x, P(x)', ['\\exists', '\\nexists', '']],
  ['A ', '\\triangle', ' B', ['\\cup', '\\cap', '\\setminus', '\\times', '']],
  ['A ', '\\subset', ' B', ['\\subseteq', '\\supset', '\\supseteq', '\\not\\subset', '\\in']],
  ['a ', '\\star', ' b', ['\\circ', '\\bullet', '\\diamond', '']],
  ['x ', '\\mapsto', ' y', ['\\to', '\\leftarrow', '']],
  ['ABC ', '\\cong', ' DEF', ['\\sim', '\\ne', '']],
  ['a ', '\\#', ' b', ['\\_', '']],
  ['', '\\neg ', 'p', ['']],
  ['5', '\\angle', ' 30', ['', '\\cdot']],
  ['[1,2', ';', '3,4]', [',']],
  ['\\{\\{1,2', '\\},\\{3', '\\}\\}', [',3', ',3\\},\\{4']],
  ['{{1', '},{2,3', '}}', [',2},{3', ',2,3']],
  ['x>1, y', '<', '3', ['>', '\\le']],
  ['', 'x', '>1, y<3', ['z']],
  ['x>1 \\text{ ', 'or', ' } y<3', ['and']],
  ['\\{x \\in ', '\\mathbb{R}', ' \\mid x>0\\}', ['\\mathbb{Z}', '[0,5]']],
  ['\\{1,2\\} \\times ', '\\{3\\}', '', ['\\{4\\}']],
  ['x \\equiv 3 \\mod ', '7', '', ['8']],
  ['\\begin{cases} 2x & x ', '\\ge', ' 0 \\\\ 6 & x < 0 \\end{cases}', ['>', '\\le']],
  ['\\begin{cases} 2x & x \\ge 0 \\\\ ', '6', ' & x < 0 \\end{cases}', ['7', 'x']],
  ['2023-', '04', '-05', ['05', '4-1', '06']],
  ['', '01', '/05/2003', ['05', '03', '02']],
  ['v^2_', '0', '', ['1', 'k']],
  ['v^', '2', '_0', ['3']],
  ["f'", "'", '(x)', ['', "''"]],
  ['2\\{', 'x', '\\}', ['y', '-x']],
];

describe('a meaningful token', () => {
  for (const [before, token, after, others] of MUTATIONS) {
    it(`tells ${before}${token}${after} from the answer with another in its place`, () => {
      const answer = before + token + after;
      for (const other of others) {
        const changed = before + other + after;
        expect([changed, canonicalKey(changed) === canonicalKey(answer)]).toEqual([changed, false]);
        expect([changed, grade(changed, answer).equal]).toEqual([changed, false]);
      }
    });
  }
});

describe('a name for what was asked', () => {
  const NAMES = [
    'P(A|B)',
    'P(A \\mid B)',
    'P(X=2)',
    'P(X > 2)',
    'P\\left(X \\le 3\\right)',
    'P(A \\cup B)',
    'P(A \\text{ and } B)',
    '\\Pr[X \\ge 2]',
    'E(x,+0,z)',
    'E[X^2]',
    '\\mathbb{E}[2X+1]',
    '\\mathrm{E}[X]',
    '\\text{Var}(X)',
    '\\operatorname{Var}(2X - 1)',
    '\\operatorname{Cov}(X, Y)',
    'n(A \\cap B)',
    'N{\\left(n \\right)}',
    '{a}_{n}',
    'f(x,y)',
    '\\dim V',
  ];

  for (const name of NAMES) {
    it(`is dropped before its value: ${name}`, () => {
      for (const value of ['\\frac14', '3x', '(1,2)']) {
        expect(canonicalKey(`${name} = ${value}`)).toBe(canonicalKey(value));
        expect(grade(`${name} = ${value}`, `Q = ${value}`, { strictNames: true }).equal).toBe(false);
        expect(grade(`${name} = ${value}`, `${name} = ${value}`, { strictNames: true }).equal).toBe(true);
      }
    });
  }

  it('is no product that equals something', () => {
    for (const equation of ['x(x+1)=0', '\\alpha(x+1)=5', 'a(b+c)=7', '2(x+3)=8', '\\sin(x)=1', '\\ln(2x)=3'])
      expect(grade(equation, equation.slice(equation.indexOf('=') + 1)).equal).toBe(false);
  });
});
