import type { ServerResponse } from 'node:http';
import { type Asked, type Behaviour, says } from './fake-endpoint.ts';

/** The problem that a request wants rewritten; null for one that wants it solved. */
export function problemOf({ body }: Asked): string | null {
  const [, wanted] = body.messages;
  return wanted === undefined ? null : (/<problem>\n(.*)\n<\/problem>/s.exec(wanted.content)?.[1] ?? null);
}

/** A model that rewrites as it is told. */
export function rewrites(how: (problem: string) => string): Behaviour {
  return (response: ServerResponse, asked: Asked) => {
    says(`Sure!\n<rewritten>\n${how(problemOf(asked) ?? '')}\n</rewritten>`)(response, asked);
  };
}

export const faithfully = (problem: string) => `In other words: ${problem}`;

/** Rows `p0`, `p1`, … that ask after their own number. */
export function problems(count: number): string {
  const rows = Array.from({ length: count }, (_, row) =>
    JSON.stringify({
      prompt_id: `p${row}`,
      question: `What is ${row + 2} times 7?`,
      answer: `${7 * (row + 2)}`,
    }),
  );
  return `${rows.join('\n')}\n`;
}
