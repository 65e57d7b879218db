export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

interface FindingKind {
  readonly severity: Severity;
  /** What it means, in one line. */
  readonly meaning: string;
}

/**
 * Everything that a verdict can say, the most urgent first. docs/findings.md lists the same, and a test holds both
 * together; the codes are labels of a metric and part of the API.
 */
export const FINDINGS = {
  silent_agent: {
    severity: 'critical',
    meaning: 'Others wait for an agent that neither sends nor waits.',
  },
  k_mismatch: {
    severity: 'critical',
    meaning: 'Every group of an agent stops at the same count below its k.',
  },
  unnamed_restart: {
    severity: 'critical',
    meaning: 'A trainer went back to earlier steps, as after a restart, and named no new incarnation.',
  },
  unmarked_eval: {
    severity: 'critical',
    meaning: 'An agent sends prompts that look like an evaluation as if they were for training.',
  },
  disjoint_prompts: {
    severity: 'critical',
    meaning: 'Two agents send prompts under ids that have nothing in common.',
  },
  different_order: {
    severity: 'critical',
    meaning: 'Two agents send the same kind of ids in another order, or rows that only one of them has.',
  },
  wait_cycle: {
    severity: 'critical',
    meaning: 'Agents wait for each other in a circle, each before it sends what the next one needs.',
  },
  answers_not_found: {
    severity: 'critical',
    meaning: 'Next to none of the completions of an agent has an answer that can be read.',
  },
  clones: {
    severity: 'critical',
    meaning: 'Two agents send mostly identical texts: one model, sampled from one seed.',
  },
  collapse: {
    severity: 'critical',
    meaning:
      'Labels get worse, or completions change their length, while all answers become the same; or one answer is given to everything.',
  },
  expired_share: {
    severity: 'critical',
    meaning: 'Groups of an agent found no teacher before their deadline and were paid nothing.',
  },
  unlabeled_share: {
    severity: 'warning',
    meaning: 'Half of the groups of an agent or more get no label.',
  },
  unreadable_truths: {
    severity: 'warning',
    meaning: 'Next to no answer of any agent equals the ground truth that was sent with its prompt.',
  },
  finished_peer: {
    severity: 'warning',
    meaning: 'An agent has finished, and another one goes on with nobody left to learn from.',
  },
  early_collapse: {
    severity: 'warning',
    meaning: 'Several signs of a collapse show, while nothing says that the labels get better.',
  },
  no_spread: {
    severity: 'warning',
    meaning: 'Next to all groups of an agent have the same reward for every rollout, which teaches nothing.',
  },
  stale_labels: {
    severity: 'warning',
    meaning: 'Under barrier last-label, labels are about as old as they may be.',
  },
  step_drift: {
    severity: 'info',
    meaning: 'Two agents meet on the same prompts at steps that move apart.',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingCode = keyof typeof FINDINGS;

/** All codes, in the order of the table. */
export const FINDING_CODES = Object.keys(FINDINGS) as readonly FindingCode[];
