import { score } from '../../src/cli/score/score.ts';
import { type Answered, testTerminal } from './rollout-files.ts';

/** Two prompts by two agents: a tie, a missing answer, two ways to write a half. */
export const GROUPS: readonly Answered[] = [
  { prompt: 'p1', agent: 'a', answers: ['4', '4', '5', null], gold: '4' },
  { prompt: 'p1', agent: 'b', answers: ['5', '5', '4', '5'], gold: '4' },
  { prompt: 'p2', agent: 'a', answers: ['1/2', '0.5', '3', '3'], gold: '0.5' },
  { prompt: 'p2', agent: 'b', answers: ['0.5', '0.5', '0.5', '0.5'], gold: '0.5' },
];

/** Scores files in mode boxed: the exit status, what it complains of, and the figures. */
export async function runScore(files: readonly string[], raw: Record<string, unknown> = {}, stdin = '') {
  const terminal = testTerminal(stdin);
  const code = await score(files, { mode: 'boxed', ...raw }, 'json', terminal);
  const out = terminal.out.join('');
  return { code, errors: terminal.errors.join(''), result: code === 0 ? JSON.parse(out) : null };
}
