/** Name in the diagnostics, title, what it means, whether it is a share (drawn from 0 to 1), and whether it is a vital sign. */
export const FIGURES = /** @type {const} */ ([
  ['label_accuracy', 'Label accuracy', 'Own labels that the ground truth confirms', true, true],
  ['agreement', 'Agreement', 'Prompts on which both agents of a pair vote for the same answer', true, true],
  ['reward_mean', 'Reward', 'Mean over rollouts', true, true],
  ['parseable_fraction', 'Answers found', 'Rollouts from which an answer could be read', true, true],
  [
    'reward_std_within_pop',
    'Reward spread',
    'Standard deviation within a group: 0 gives no gradient',
    false,
    true,
  ],
  ['completions/mean_length', 'Completion length', 'Tokens, mean', false, true],
  [
    'used_label_accuracy',
    'Accuracy of labels used',
    'Labels that rewards rest on, right by the ground truth',
    true,
    false,
  ],
  ['eval_accuracy', 'Evaluation accuracy', 'Rollouts of evaluation that are right', true, false],
  [
    'agreement_beyond_chance',
    'Agreement beyond chance',
    'Agreement less what labels of different prompts have',
    false,
    false,
  ],
  ['commonest_label_share', 'Commonest label', 'Share of one answer among the latest labels', true, false],
  ['frac_reward_zero_std', 'Groups without spread', 'All rewards of the group are the same', true, false],
  ['label_coverage', 'Label coverage', 'Groups that have a label', true, false],
  ['uniform_vote_rate', 'Unanimous groups', 'All rollouts of an agent gave the same answer', true, false],
  ['vote_tie_rate', 'Ties', 'The top count is shared', true, false],
  ['expired_fraction', 'Expired groups', 'No teacher was decided before the deadline', true, false],
  ['completions/clipped_ratio', 'Clipped', 'Completions that the length limit cut', true, false],
  ['label_complementarity', 'Complementarity', 'Exactly one of a pair has it right', true, false],
  ['barrier_wait_mean_s', 'Wait at the barrier', 'Seconds, mean', false, false],
]);

/**
 * @typedef {{ steps: number[], earlier_steps: number, agents: Subject[], pairs: (Subject & { peer: string })[] }} Reply
 * @typedef {{ agent: string, series: Record<string, { value: (number | null)[] }> }} Subject
 * @typedef {{ label: string, color: number, dash: number, values: (number | null)[] }} Line
 */

/**
 * The curves of one figure over common steps: those of the cohort itself, then those of the cohorts that it is compared with,
 * each with a dash of its own.
 * @param {string} name
 * @param {{ cohort: string, reply: Reply }[]} shown
 * @returns {{ steps: number[], lines: Line[] }}
 */
export function curvesOf(name, shown) {
  const steps = [...new Set(shown.flatMap(({ reply }) => reply.steps))].sort((a, b) => a - b);
  const places = new Map(steps.map((step, at) => [step, at]));
  /** @type {Line[]} */
  const lines = [];
  for (const [dash, { cohort, reply }] of shown.entries()) {
    const prefix = shown.length > 1 ? `${cohort}: ` : '';
    const subjects = [
      ...reply.agents.map(({ agent, series }) => ({ label: agent, values: series[name]?.value })),
      ...reply.pairs.map(({ agent, peer, series }) => ({
        label: `${agent} – ${peer}`,
        values: series[name]?.value,
      })),
    ];
    for (const { label, values } of subjects) {
      if (values === undefined) continue;
      /** @type {(number | null)[]} */
      const spread = steps.map(() => null);
      for (const [at, step] of reply.steps.entries()) spread[places.get(step) ?? 0] = values[at] ?? null;
      lines.push({ label: prefix + label, color: lines.length, dash, values: spread });
    }
  }
  return { steps, lines };
}

/**
 * The exponential moving average without its bias to 0 (as TensorBoard smooths); `weight` of what came before, from 0 on and
 * below 1. What is missing stays so.
 * @param {(number | null)[]} values
 * @param {number} weight
 */
export function smooth(values, weight) {
  let last = 0;
  let share = 1;
  return values.map((value) => {
    if (value === null) return null;
    last = last * weight + value * (1 - weight);
    share *= weight;
    return last / (1 - share);
  });
}

/**
 * The latest value that there is.
 * @param {(number | null)[]} values
 */
export function latest(values) {
  return values.findLast((value) => value !== null) ?? null;
}
