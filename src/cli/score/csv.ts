import type { ScoreResult } from './result.ts';

type Cell = string | number | null;

/** Every figure as a row of its own, with an empty cell for null. Names of agents need no quotes. */
export function toCsv({ agents, pairs, maj_at_k: majority }: ScoreResult): string {
  const rows: (readonly Cell[])[] = [
    ['scope', 'agent', 'peer', 'metric', 'value', 'numerator', 'denominator'],
  ];
  for (const { agent, figures } of agents) {
    for (const [metric, { value, numerator, denominator }] of Object.entries(figures)) {
      rows.push(['agent', agent, '', metric, value, numerator, denominator]);
    }
  }
  for (const { agent, peer, basis, figures } of pairs) {
    for (const [metric, { value, numerator, denominator }] of Object.entries(figures)) {
      rows.push([basis, agent, peer, metric, value, numerator, denominator]);
    }
  }
  for (const { agents: members, k, score, prompts } of majority) {
    rows.push(['majority', members.join('+'), '', `maj@${k}`, score, null, prompts]);
  }
  return `${rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\n')}\n`;
}
