import type { AgentFigures, Course, PairFigures } from './figures.ts';

/** What came of one cohort. */
export interface CohortFigures {
  readonly title: string;
  readonly pairs: readonly PairFigures[];
  readonly agents: readonly AgentFigures[];
}

type Format = (value: number) => string;
type Block = (figures: CohortFigures) => readonly { readonly of: string; readonly course: Course }[];

const BLOCKS: readonly { readonly title: string; readonly block: Block; readonly format: Format }[] = [
  {
    title: 'agreement',
    block: ({ pairs }) =>
      pairs.map(({ agents, agreement }) => ({ of: agents.join(', '), course: agreement })),
    format: percent,
  },
  {
    title: 'label accuracy',
    block: ({ agents }) => agents.map(({ agent, labelAccuracy }) => ({ of: agent, course: labelAccuracy })),
    format: percent,
  },
  {
    title: 'reward',
    block: ({ agents }) => agents.map(({ agent, reward }) => ({ of: agent, course: reward })),
    format: (value) => value.toFixed(2),
  },
  {
    title: 'answers right',
    block: ({ agents }) => agents.map(({ agent, answersRight }) => ({ of: agent, course: answersRight })),
    format: percent,
  },
];

const TITLE_WIDTH = 16;
const NAME_WIDTH = 11;
const COLUMN_WIDTH = 8;

/** The closing table: cohorts side by side, each with its first steps, its last steps and the whole run. */
export function renderFigures(cohorts: readonly CohortFigures[]): string {
  const margin = ' '.repeat(TITLE_WIDTH + NAME_WIDTH);
  const titles = cohorts.map(({ title }) => title.padStart(3 * COLUMN_WIDTH)).join(' ');
  const columns = cohorts.map(() => renderCells(['first', 'last', 'all'])).join(' ');
  const lines = BLOCKS.flatMap(({ title, block, format }) => {
    const sides = cohorts.map((figures) => block(figures));
    return (sides[0] ?? []).map(({ of }, row) => {
      const cells = sides.map((side) => renderCourse(side[row]?.course, format)).join(' ');
      return `${(row === 0 ? title : '').padEnd(TITLE_WIDTH)}${of.padEnd(NAME_WIDTH)}${cells}`;
    });
  });
  return [margin + titles, margin + columns, ...lines].map((line) => `  ${line.trimEnd()}`).join('\n');
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function renderCourse(course: Course | undefined, format: Format): string {
  if (course === undefined) return '';
  const { first, last, all } = course;
  return renderCells([format(first), format(last), all === null ? '' : format(all)]);
}

function renderCells(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(COLUMN_WIDTH)).join('');
}
