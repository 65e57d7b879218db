import type { Evidence } from './evidence.ts';
import { type Finding, findingOf } from './finding.ts';
import { type Course, type Health, healthOf } from './health.ts';
import { formatShare } from './words.ts';

/**
 * A collapse: all say the same, and it is not because all are right. With truths, the labels got worse or are wrong; without, one
 * answer to nearly every prompt tells it, and agreement that is no more than chance, or lengths that change. Signs that are not enough
 * are told early.
 */
export function findCollapse(evidence: Evidence): readonly Finding[] {
  return healthOf(evidence).flatMap((health): Finding[] => {
    const { agent, accuracy, step } = health;
    const signs = signsOf(health);
    const hasWorse = signs.has('accuracy');
    const isSure = hasWorse && worsened(accuracy) >= 0.2 && (signs.has('spread') || signs.has('uniform'));
    const isBlind = accuracy.now === null;
    const isLong = isBlind && signs.has('spread') && signs.has('agreement') && signs.has('length');
    // Where most labels are right, most prompts do have that answer.
    const isOneAnswer = signs.has('sameness') && saysOneThing(health) && (accuracy.now ?? 0) < 0.5;
    const isStuck = isLong || isOneAnswer;
    const said = [...signs.values()].join(', ');
    const figures = figuresOf(health);
    const finding = { agents: [agent], since: null, figures };
    if (isSure || isStuck) {
      const message = `"${agent}" collapses, as of step ${step}: ${said}. It trains towards one answer for everything. Stop, go back to a checkpoint from before, and lower the learning rate, raise the KL term, or take a peer from another model family.`;
      return [findingOf('collapse', { ...finding, message })];
    }
    const isOdd = hasWorse || (isBlind && (signs.has('length') || signs.has('sameness')));
    if (!isOdd || signs.size < 2) return [];
    const message = `"${agent}" shows signs of a collapse, as of step ${step}: ${said}. Look at its completions on the live page before it goes on for long.`;
    return [findingOf('early_collapse', { ...finding, message })];
  });
}

type Sign = 'accuracy' | 'sameness' | 'spread' | 'uniform' | 'agreement' | 'length' | 'clipped';

/** Its rollouts too: a group of one answer, nearly every time. */
function saysOneThing({ uniform, zeroSpread, commonest }: Health): boolean {
  return (commonest.now ?? 0) >= 0.9 && Math.max(uniform.now ?? 0, zeroSpread.now ?? 0) >= 0.8;
}

/** What has changed for the worse since earlier windows, in words. */
function signsOf({
  accuracy,
  zeroSpread,
  uniform,
  agreement,
  beyondChance,
  commonest,
  length,
  clipped,
}: Health): ReadonlyMap<Sign, string> {
  const signs = new Map<Sign, string>();
  if (worsened(accuracy) >= 0.1) {
    signs.set(
      'accuracy',
      `its labels are right in ${percent(accuracy.now)}, and were in ${percent(accuracy.highest)}`,
    );
  }
  if ((commonest.now ?? 0) >= 0.8 && (beyondChance ?? 0) < 0.2) {
    const peers = beyondChance === null ? '' : ', and it agrees with its peers no more than chance would';
    signs.set('sameness', `${percent(commonest.now)} of its labels are one and the same answer${peers}`);
  }
  if ((zeroSpread.now ?? 0) >= 0.8 && risen(zeroSpread) >= 0.3) {
    signs.set('spread', `${percent(zeroSpread.now)} of its groups have no spread in their rewards`);
  }
  if ((uniform.now ?? 0) >= 0.8 && risen(uniform) >= 0.3) {
    signs.set('uniform', `all rollouts say the same in ${percent(uniform.now)} of its groups`);
  }
  if ((agreement.now ?? 0) >= 0.95 && risen(agreement) >= 0.15) {
    signs.set('agreement', `it agrees with a peer on ${percent(agreement.now)} of the prompts`);
  }
  const longer = length.now === null || length.lowest === null ? 1 : length.now / length.lowest;
  const shorter = length.now === null || length.highest === null ? 1 : length.highest / length.now;
  if (longer >= 2 || shorter >= 2) {
    signs.set(
      'length',
      `its completions are ${longer >= 2 ? `${longer.toFixed(1)} times as long` : `${shorter.toFixed(1)} times shorter`}`,
    );
  }
  if ((clipped.now ?? 0) >= 0.3 && risen(clipped) >= 0.2) {
    signs.set('clipped', `the length limit cuts off ${percent(clipped.now)} of them`);
  }
  return signs;
}

function figuresOf(health: Health) {
  const { accuracy, zeroSpread, uniform, agreement, beyondChance, commonest, length, groups, step } = health;
  const known = {
    label_accuracy: accuracy.now,
    label_accuracy_before: accuracy.highest,
    frac_reward_zero_std: zeroSpread.now,
    uniform_vote_rate: uniform.now,
    agreement: agreement.now,
    agreement_beyond_chance: beyondChance,
    commonest_label_share: commonest.now,
    mean_length: length.now,
  };
  const figures: Record<string, number> = { groups, step };
  for (const [name, value] of Object.entries(known)) if (value !== null) figures[name] = value;
  return figures;
}

function worsened({ now, highest }: Course): number {
  return now === null || highest === null ? 0 : highest - now;
}

function risen({ now, lowest }: Course): number {
  return now === null || lowest === null ? 0 : now - lowest;
}

function percent(value: number | null): string {
  return formatShare(value ?? 0);
}
