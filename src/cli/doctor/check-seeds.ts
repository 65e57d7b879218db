import { type Check, fail, ok, skip, warn } from './check.ts';

/** Whether trainers visit the rows as they are in the file, or shuffled by their seed. */
export type Order = 'file' | 'shuffle';

/** What the trainers' seeds do to the order of the prompts, and to the samples. `seeds`: by agent, '' for all. */
export function checkSeeds(
  agents: readonly string[],
  seeds: ReadonlyMap<string, number>,
  order: Order | null,
): Check {
  const known = agents.flatMap((agent) => seeds.get(agent) ?? seeds.get('') ?? []);
  if (known.length < 2 || known.length < agents.length || order === null) {
    return skip(
      'seeds',
      "Say the trainers' seeds and what they order, as in --seed qwen=1 --seed llama=2 --order file (or shuffle).",
    );
  }
  const distinct = new Set(known).size;
  if (order === 'shuffle' && distinct > 1) {
    return fail(
      'seeds',
      'Trainers that shuffle by different seeds visit the prompts in different orders: shuffle the rows once beforehand, turn the shuffle of the trainers off, and keep the seeds apart.',
    );
  }
  if (distinct < known.length) {
    return warn(
      'seeds',
      'Agents have the same seed. Where it draws the samples too, as in TRL, agents from one checkpoint answer word for word alike and learn only from themselves: shuffle beforehand, turn the shuffle off, and give each agent its own seed.',
    );
  }
  return ok('seeds', 'The rows keep their order, and each agent draws its own samples.');
}
