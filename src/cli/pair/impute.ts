import { DAWID_SKENE_DEFAULTS, dawidSkene } from '../../methods/extensions/dawid-skene.ts';
import { answerPosteriors } from '../../methods/extensions/log-odds.ts';
import type { World } from '../../theory/compare-cohorts.ts';
import type { Gathered, Pass } from './gather.ts';

/** What a prompt may be: which of its answers is right, and what every candidate's rollouts are worth then. */
export interface PossiblePasses extends World {
  readonly passes: readonly Pass[];
}

/** How truths are imputed. */
export interface Imputing {
  /** How many answers a prompt is taken to have, at least 2. */
  readonly classes: number;
  /** Share of the prompts on which agents are taken to be wrong for a common reason, so that their agreement says nothing. */
  readonly shared: number;
}

/** Less probable answers than this are left to "none of them". */
const LEAST = 0.01;

/**
 * The truths that each prompt may have, by Dawid and Skene's posterior over what the candidates voted for: one vote of each
 * over all its rollouts of the prompt, since rounds of one prompt are no independent witnesses. Where all that agree are wrong
 * together no estimate of this kind can know it, which is what `shared` allows for. The weights of a prompt sum to 1.
 */
export function imputePasses(
  answers: Gathered['answers'],
  { classes, shared }: Imputing,
): readonly (readonly PossiblePasses[])[] {
  const labels = answers.map((row) => row.map(({ byKey }) => pluralityOf(byKey)));
  const { accuracy } = dawidSkene(labels, { ...DAWID_SKENE_DEFAULTS, classes });
  return answers.map((row, prompt) => {
    const witnesses = (labels[prompt] ?? []).map((key, at) => ({ key, reliability: accuracy[at] ?? 0 }));
    const posterior = answerPosteriors(witnesses, classes);
    const keys = new Set(row.flatMap(({ byKey }) => [...byKey.keys()]));
    const chances = [...keys].map(
      (key) => (1 - shared) * posterior(key) + shared / Math.max(classes, keys.size),
    );
    // There may be more answers than the model knows of.
    const total = Math.max(
      1,
      chances.reduce((sum, chance) => sum + chance, 0),
    );
    const worlds: PossiblePasses[] = [];
    let left = 1;
    for (const [at, key] of [...keys].entries()) {
      const weight = (chances[at] ?? 0) / total;
      if (weight < LEAST) continue;
      left -= weight;
      worlds.push({
        weight,
        passes: row.map(({ rollouts, byKey }) => ({ rollouts, right: byKey.get(key) ?? 0 })),
      });
    }
    const none = row.map(({ rollouts }) => ({ rollouts, right: 0 }));
    return left > LEAST || worlds.length === 0 ? [...worlds, { weight: left, passes: none }] : worlds;
  });
}

/** Mean over the prompts of how often each candidate is right, 0 to 1. */
export function meanPasses(
  worlds: readonly (readonly PossiblePasses[])[],
  candidates: number,
): readonly number[] {
  return Array.from({ length: candidates }, (_, at) => {
    let sum = 0;
    for (const possible of worlds) {
      const total = possible.reduce((all, { weight }) => all + weight, 0);
      for (const { weight, passes } of possible) {
        const { right = 0, rollouts = 1 } = passes[at] ?? {};
        sum += (weight / total) * (right / rollouts);
      }
    }
    return worlds.length === 0 ? 0 : sum / worlds.length;
  });
}

/** Null without answers, and where two lead. */
function pluralityOf(byKey: ReadonlyMap<string, number>): string | null {
  let [best, most, isTied]: [string | null, number, boolean] = [null, 0, false];
  for (const [key, count] of byKey) {
    if (count > most) [best, most, isTied] = [key, count, false];
    else if (count === most) isTied = true;
  }
  return isTied ? null : best;
}
