import { z } from 'zod';
import { templateOf } from './chat-templates.ts';
import type { LabelStyle, Rewarded } from './messages.ts';
import type { Rollout } from './rollouts.ts';

/** One rollout as OpenRLHF posts it: prompt and response decoded together with their special tokens. */
export function writeQuery(rollout: Rollout, position: number, labelStyle: LabelStyle): string {
  const { before, after, end } = templateOf(position);
  const prompt = `${before}${rollout.prompt}${after}`;
  const label =
    labelStyle === 'gold' ? rollout.gold : JSON.stringify({ pid: rollout.promptId, answer: rollout.gold });
  return JSON.stringify({
    query: [`${prompt}${rollout.completion}${end}`],
    prompts: [prompt],
    labels: [label],
  });
}

const column = z.array(z.number()).length(1);

const replySchema = z.object({
  rewards: column,
  scores: column,
  extra_logs: z.record(z.string(), column),
});

/** Python reads `1` as an integer, and OpenRLHF crashes on the tensor that it makes of it. */
const INTEGER = /[[,:]-?\d+[\],}]/;

/** What trips OpenRLHF, and what tells that another outcome than a vote was paid. */
const UNWANTED = ['expired', 'skipped', 'eval', 'late'];

/** Reads a reply as OpenRLHF does, and says what would trip it. `keys` are those of the earlier replies. */
export function readReply(
  { name }: Rollout,
  text: string,
  keys: string | null,
): { readonly rewarded: Rewarded; readonly keys: string; readonly faults: readonly string[] } {
  const { rewards, scores, extra_logs: logs } = replySchema.parse(JSON.parse(text));
  const faults: string[] = [];
  const found = Object.keys(logs).join();
  if (keys !== null && keys !== found) faults.push(`extra_logs has other keys than before: ${found}`);
  if (INTEGER.test(text)) faults.push('a number is not written as a float');
  if (rewards[0] !== scores[0]) faults.push('the score is not the reward');
  for (const key of UNWANTED) if (logs[key]?.[0] !== 0) faults.push(`${key} is ${logs[key]?.[0]}`);
  const labeled = logs.labeled?.[0] === 1;
  return { rewarded: { name, reward: rewards[0] ?? null, label: labeled }, keys: found, faults };
}
