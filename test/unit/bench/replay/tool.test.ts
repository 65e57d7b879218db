import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRollouts } from '../../../../bench/replay/rollouts.ts';

const folder = mkdtempSync(join(tmpdir(), 'peervote-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROUNDS = [0, 1];
const K = 3;

/** Three agents of different skill on six prompts; answers repeat, and so do whole texts. */
function recordLines(): string[] {
  return ['weak', 'fair', 'good'].flatMap((agent, skill) =>
    Array.from({ length: 6 }, (_, prompt) => prompt).flatMap((prompt) =>
      ROUNDS.flatMap((round) =>
        Array.from({ length: K }, (_, k) => {
          const answer = (k + round + prompt) % 3 <= skill ? prompt : k;
          const completion = `So it is \\boxed{${answer}}.`;
          const text = `What is ${prompt}?`;
          return JSON.stringify({
            prompt_id: `p${prompt}`,
            agent,
            round,
            k,
            prompt: text,
            gold: `${prompt}`,
            completion,
          });
        }),
      ),
    ),
  );
}

function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

describe('the replay tool', () => {
  it('rewards every rollout rightly though two of its clients are killed', () => {
    const file = write('whole.jsonl', recordLines());
    const args = ['--import', 'tsx', 'bench/replay/main.ts', file, '--timeout', '60'];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stdout).toContain('Every rollout got its reward, and every reward is right.');
    expect(stdout.match(/^Killed /gm)).toHaveLength(2);
    expect(status).toBe(0);
  }, 90_000);

  it.each([
    [
      'a group with a rollout missing',
      (lines: string[]) => lines.slice(1),
      'does not have each k from 0 to 2 once',
    ],
    ['an agent without a group', (lines: string[]) => lines.slice(K), 'has no rollouts for prompt p0'],
    [
      'one agent only',
      (lines: string[]) => lines.filter((line) => line.includes('"weak"')),
      'at least two agents',
    ],
    ['a line of another shape', (lines: string[]) => [...lines, '{"prompt_id":"p"}'], 'whole.jsonl:109'],
  ])('refuses a file with %s', (_what, change, why) => {
    const file = write('whole.jsonl', change(recordLines()));
    expect(() => readRollouts(file)).toThrow(why);
  });
});
