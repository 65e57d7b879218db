import { Random } from '../support/random.ts';

/** One agent's group for one prompt, made up. */
export interface SyntheticGroup {
  readonly promptId: string;
  readonly agent: string;
  /** In order of index. */
  readonly answers: readonly string[];
}

/** Eight completions of this length make the body of 17.8 KB that the figures are given for. */
export const COMPLETION_LENGTH = 2_150;

const WORDS =
  'so we add the first part to the second and carry what is left over to the next step then '.split(' ');

/** An agent that answers rightly with probability `skill`, else with one of a few wrong numbers. */
export function makeGroup(
  agent: string,
  prompt: number,
  k: number,
  skill: number,
  seed: number,
): SyntheticGroup {
  const random = new Random(seed * 7919 + prompt * 31 + agent.charCodeAt(0));
  const answers = Array.from({ length: k }, () =>
    String(random.chance(skill) ? prompt + 10 : prompt + random.between(11, 14)),
  );
  return { promptId: `p${prompt}`, agent, answers };
}

/** A completion of about `length` characters that ends with its answer in a box. No two are the same. */
function writeCompletion(answer: string, length: number, random: Random): string {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = random.pick(WORDS);
    parts.push(word);
    size += word.length + 1;
  }
  return `${parts.join(' ')} ${random.between(0, 1e9)}. The answer is \\boxed{${answer}}.`;
}

/** A native body that holds these groups whole. */
export function writeGroups(groups: readonly SyntheticGroup[], length: number, random: Random): string {
  return JSON.stringify({
    groups: groups.map(({ promptId, answers }) => ({
      prompt_id: promptId,
      rollouts: answers.map((answer, index) => ({
        id: `k${index}`,
        index,
        completion: writeCompletion(answer, length, random),
      })),
    })),
  });
}

/** An OpenRLHF body that holds one rollout. */
export function writeSample(promptId: string, answer: string, length: number, random: Random): string {
  const prompt = `<|im_start|>user\nWhat is ${promptId}?<|im_end|>\n<|im_start|>assistant\n`;
  return JSON.stringify({
    query: [`${prompt}${writeCompletion(answer, length, random)}<|im_end|>`],
    prompts: [prompt],
    labels: [JSON.stringify({ pid: promptId, answer: '0' })],
  });
}
