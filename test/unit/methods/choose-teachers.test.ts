import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdaptiveRules } from '../../../src/domain/cohort.ts';
import type { LabelRow, TeacherChoice } from '../../../src/domain/plan.ts';
import { type ChoiceBasis, chooseTeachers } from '../../../src/methods/choose-teachers.ts';
import { posteriorOf } from '../../../src/methods/extensions/log-odds.ts';

const RELIABILITY = { a: 0.9, b: 0.8, c: 0.5 };

const RULES: AdaptiveRules = {
  fallback: 'predecessor',
  minPrompts: 2,
  margin: 0.05,
  minDwell: 3,
};

/** Rows from labels, one text per prompt with a letter for each of a, b, c, …; a dot is no label. */
function rowsOf(...prompts: readonly string[]): LabelRow[] {
  return prompts.map((labels, at) => ({
    promptId: `p${at}`,
    round: 0,
    sides: Object.fromEntries(
      [...labels].flatMap((label, n) => (label === '.' ? [] : [['abcde'[n] ?? '', label.charCodeAt(0)]])),
    ),
  }));
}

interface Overrides extends Partial<Omit<ChoiceBasis, 'trust'>> {
  readonly names?: string;
  readonly more?: object;
  readonly reliability?: Readonly<Record<string, number>>;
  readonly parts?: Readonly<Record<string, number>>;
}

function choose(overrides: Overrides = {}) {
  const { names = 'abc', more = {}, reliability = RELIABILITY, parts, ...rest } = overrides;
  return chooseTeachers({
    agents: [...names].map((name) => ({ name, role: 'learner' as const })),
    rules: { ...RULES, ...more },
    rows: [],
    trust: { reliability, ...(parts !== undefined && { parts }) },
    classes: 2,
    previous: [],
    version: 1,
    frozen: false,
    ...rest,
  });
}

const shown = (choices: readonly TeacherChoice[]) =>
  choices.map(({ agent, teacher, why }) => `${agent}<${teacher} ${why}`).join(', ');

/** a agrees with b on half of the prompts and with c on the other half; b and c never agree. */
const HALVES = rowsOf('xxy', 'xyx', 'xxy', 'xyx');

describe('the choice of teachers', () => {
  it('takes the highest gain, with its figures and those of the next', () => {
    const choices = choose({ rows: HALVES });
    expect(shown(choices)).toBe('a<b best, b<a best, c<a best');
    // Of a's prompts b differs on half, and is right there with .8 against .2 by its own word, c being worth nothing.
    expect(choices[0]).toEqual({
      agent: 'a',
      teacher: 'b',
      since: 1,
      why: 'best',
      figures: { reliability: 0.8, agreement: 0.5, score: 0.3 },
      rival: { teacher: 'c', figures: { reliability: 0.5, agreement: 0.5, score: -0.3 } },
    });
  });

  it('has for a gain the mean difference of two posteriors without the student, whatever the labels', () => {
    const label = fc.constantFrom('x', 'y', 'z', '.');
    const row = fc.array(label, { minLength: 4, maxLength: 4 });
    const chance = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    const all = fc.tuple(
      fc.array(row, { minLength: 3, maxLength: 12 }),
      fc.array(chance, { minLength: 4, maxLength: 4 }),
    );
    fc.assert(
      fc.property(all, fc.boolean(), ([rows, chances], isShared) => {
        const names = ['a', 'b', 'c', 'd'];
        const reliability = Object.fromEntries(names.map((name, n) => [name, chances[n] ?? 0]));
        const part = (name: string) => (isShared && name > 'b' ? 0.5 : 1);
        const parts = Object.fromEntries(names.map((name) => [name, part(name)]));
        const choices = choose({
          names: 'abcd',
          rows: rowsOf(...rows.map((labels) => labels.join(''))),
          reliability,
          classes: 5,
          more: { minPrompts: 1 },
          ...(isShared && { parts }),
        });
        for (const { agent, teacher, figures } of choices) {
          if (figures === null) continue;
          const [n, m] = [names.indexOf(agent), names.indexOf(teacher)];
          const common = rows.filter((labels) => labels[n] !== '.' && labels[m] !== '.');
          const gains = common.map((labels) => {
            const witnesses = names.flatMap((name, at) =>
              at === n || labels[at] === '.'
                ? []
                : [{ key: labels[at] ?? null, reliability: chances[at] ?? 0, part: part(name) }],
            );
            const chanceOf = (key = '') => posteriorOf(key, witnesses, 5);
            return chanceOf(labels[m]) - chanceOf(labels[n]);
          });
          const mean = gains.reduce((sum, gain) => sum + gain, 0) / common.length;
          expect(figures.score).toBeCloseTo(mean, 5);
        }
      }),
    );
  });

  it('is the ring where the agents are so much alike that nothing can be said of them', () => {
    expect(shown(choose({ rows: HALVES, reliability: {} }))).toBe('a<c alike, b<a alike, c<b alike');
  });

  it('is the ring, in its direction, until two agents share enough labelled prompts', () => {
    const rows = rowsOf('xyy', 'x..', '.y.', '..y');
    expect(shown(choose({ rows }))).toBe('a<c few-prompts, b<a few-prompts, c<b few-prompts');
    expect(shown(choose({ rows, more: { fallback: 'successor' } }))).toBe(
      'a<b few-prompts, b<c few-prompts, c<a few-prompts',
    );
    expect(choose({ rows }).every(({ since, figures }) => since === null && figures === null)).toBe(true);
  });

  it('is the ring for good with two agents, however many prompts there are', () => {
    const rows = rowsOf('xy', 'xy', 'xx', 'xy');
    expect(shown(choose({ names: 'ab', rows }))).toBe('a<b few-agents, b<a few-agents');
  });

  it('takes nobody who shares too few prompts, though it would score best', () => {
    const rows = rowsOf('xx.', 'xy.', '..y', 'x.y');
    expect(shown(choose({ rows }))).toBe('a<b best, b<a best, c<b few-prompts');
  });

  it('keeps the teacher unless another is better by more than the margin', () => {
    // For c: b of the ring gains .2807 a prompt, and a .4730.
    expect(shown(choose({ rows: HALVES, more: { margin: 0.193 } }).slice(2))).toBe('c<b margin');
    expect(shown(choose({ rows: HALVES, more: { margin: 0.192 } }).slice(2))).toBe('c<a best');
  });

  it('keeps a teacher for its dwell, counted in plans since it came, and the ring at the start not at all', () => {
    const more = { margin: 0, minDwell: 3 };
    const first = choose({ rows: HALVES, more, version: 1 });
    expect(first[2]).toMatchObject({ teacher: 'a', since: 1 });
    // From now on a is hardly ever right.
    const later = { rows: HALVES, more, reliability: { a: 0.1, b: 0.8, c: 0.5 } };
    for (const version of [2, 3]) {
      expect(choose({ ...later, previous: first, version })[2]).toMatchObject({
        teacher: 'a',
        since: 1,
        why: 'dwell',
        rival: { teacher: 'b' },
      });
    }
    expect(choose({ ...later, previous: first, version: 4 })[2]).toMatchObject({
      teacher: 'b',
      since: 4,
      why: 'best',
      rival: { teacher: 'a' },
    });
  });

  it('breaks ties for the present teacher, then for whom the ring reaches first', () => {
    const rows = rowsOf('xyyz', 'xzyy', 'xyzy');
    const reliability = { a: 0.8, b: 0.8, c: 0.8, d: 0.8 };
    const more = { margin: 0 };
    const classes = 10;
    const first = choose({ names: 'abcd', rows: rowsOf('xyzw', 'xyzw'), reliability, more, classes });
    expect(shown(first)).toBe('a<d best, b<a best, c<b best, d<c best');
    // For a all others score alike; the present one is c.
    const previous: TeacherChoice[] = [
      { agent: 'a', teacher: 'c', since: 1, why: 'best', figures: null, rival: null },
    ];
    expect(
      choose({ names: 'abcd', rows, reliability, more, classes, previous, version: 9 })[0],
    ).toMatchObject({
      teacher: 'c',
    });
  });

  it('leaves frozen teachers where they are, and tells their figures all the same', () => {
    const previous = choose({ rows: HALVES, more: { margin: 0 } });
    const reliability = { a: 0.01, b: 0.8, c: 0.5 };
    const choices = choose({ rows: HALVES, previous, reliability, version: 50, frozen: true });
    expect(choices.map(({ teacher }) => teacher)).toEqual(previous.map(({ teacher }) => teacher));
    expect(choices[2]).toMatchObject({ why: 'frozen', since: 1, figures: { reliability: 0.01 } });
  });

  it('chooses for learners only, and may choose an agent that only votes', () => {
    const agents = [
      { name: 'a', role: 'learner' as const },
      { name: 'b', role: 'learner' as const },
      { name: 'c', role: 'teacher' as const },
    ];
    expect(shown(choose({ agents, rows: HALVES, reliability: { a: 0.6, b: 0.6, c: 0.9 } }))).toBe(
      'a<c best, b<c best',
    );
  });

  it('forgets a teacher that has left the cohort', () => {
    const previous: TeacherChoice[] = [
      { agent: 'a', teacher: 'gone', since: 1, why: 'best', figures: null, rival: null },
    ];
    expect(shown(choose({ previous }).slice(0, 1))).toBe('a<c few-prompts');
  });
});
