import { foreign, h, table } from './dom.js';
import { countNoun, formatFigure } from './format.js';
import { linkTo } from './route.js';
import { showSample } from './sample-view.js';

/**
 * @typedef {{ answer: string, key: string, votes: number }} Cluster
 * @typedef {{ id: string, index: number | null, answer: string | null, key: string | null, reward: number | null, late: boolean }} Rollout
 * @typedef {{ agent: string, state: string, cause: string | null, step: number | null, incarnation: string | null, need: number, own_label: string | null, own_label_correct: boolean | null, label_correct: boolean | null, clusters: Cluster[], reward_status: string | null, reward_source: string | null, rewarded_by: string[], label: string | null, reason: string | null, rollouts: Rollout[] }} Group
 * @typedef {{ round: number, ground_truth: string | null, groups: Group[] }} Round
 * @typedef {{ problem: string | null, rounds: Round[], samples: import('./sample-view.js').Sample[] }} Bucket
 */

const CAUSES = /** @type {Record<string, string>} */ ({
  k: 'all rollouts came',
  quorum: 'quorum and grace were met',
  skip: 'the agent skipped it',
  finish: 'the agent has finished',
  deadline: 'the deadline passed',
});

/**
 * What is known of a prompt, or a word on why there is nothing.
 * @param {string} cohort
 * @param {import('./route.js').Route} route
 * @param {Bucket | { missing: string } | null} bucket
 */
export function showPrompt(cohort, { prompt, round, list }, bucket) {
  if (prompt === null || bucket === null) {
    return [h('p', { class: 'nothing' }, 'Choose a prompt to see its answers, votes, labels and rewards.')];
  }
  const title = h('h2', {}, 'Prompt ', foreign(prompt));
  if ('missing' in bucket) return [title, h('p', { class: 'notice' }, bucket.missing)];
  const shown = bucket.rounds.find((each) => each.round === round) ?? bucket.rounds.at(-1);
  if (shown === undefined) return [title];
  const truth = shown.ground_truth;
  return [
    title,
    bucket.rounds.length > 1 ? roundLinks(cohort, { prompt, round: shown.round, list }, bucket.rounds) : null,
    bucket.problem === null
      ? null
      : h(
          'pre',
          { class: 'problem', dir: 'auto', tabindex: 0, role: 'region', 'aria-label': 'Problem' },
          bucket.problem,
        ),
    h(
      'p',
      { class: 'truth' },
      `Round ${shown.round}. `,
      truth === null
        ? 'No ground truth was sent.'
        : h('span', {}, 'Ground truth: ', foreign(truth, 'answer')),
    ),
    ...shown.groups.map((group) =>
      showGroup(
        group,
        bucket.samples.filter((sample) => sample.round === shown.round && sample.agent === group.agent),
      ),
    ),
  ];
}

/**
 * @param {string} cohort
 * @param {{ prompt: string, round: number, list: import('./route.js').List }} current
 * @param {Round[]} rounds
 */
function roundLinks(cohort, { prompt, round: current, list }, rounds) {
  const links = rounds.map(({ round }) =>
    h(
      'a',
      {
        href: linkTo(cohort, { view: 'inspect', prompt, round, list }),
        'aria-current': round === current && 'true',
      },
      `Round ${round}`,
    ),
  );
  return h('nav', { class: 'tabs', 'aria-label': 'Rounds' }, ...links);
}

/**
 * @param {Group} group
 * @param {import('./sample-view.js').Sample[]} samples
 */
function showGroup(group, samples) {
  const { agent, rollouts, need, clusters } = group;
  const voters = rollouts.filter(({ late }) => !late).length;
  return h(
    'article',
    { class: 'group', 'aria-label': `Group of ${agent}` },
    h(
      'div',
      { class: 'group-head' },
      h('h3', {}, agent),
      h('span', { class: `state ${group.state}` }, `${group.state} ${voters}/${need}`),
      h('span', { class: 'note' }, aboutGroup(group)),
    ),
    h('p', { class: 'why' }, ...explain(group)),
    h('h4', {}, 'Votes'),
    clusters.length === 0
      ? h('p', { class: 'nothing' }, 'No answer, no vote.')
      : h('ol', { class: 'clusters' }, ...clusters.map((cluster) => showCluster(cluster, group, voters))),
    rollouts.length === 0 ? null : h('h4', {}, 'Rollouts'),
    rollouts.length === 0 ? null : rolloutTable(group),
    h('h4', {}, 'Completions'),
    samples.length === 0
      ? h(
          'p',
          { class: 'nothing' },
          'None was kept: the first two of a group are, of some prompts, for a day.',
        )
      : h('div', {}, ...samples.map(showSample)),
  );
}

/** @param {Group} group */
function aboutGroup({ cause, step, incarnation }) {
  const parts = [
    cause === null ? null : (CAUSES[cause] ?? cause),
    step === null ? null : `step ${step}`,
    incarnation === null ? null : `incarnation ${incarnation}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/**
 * In a sentence: what the rollouts are rewarded against, and why.
 * @param {Group} group
 */
function explain(group) {
  const { reward_status, reward_source, rewarded_by, label, own_label, reason } = group;
  const own =
    own_label === null
      ? ['It has no label of its own. ']
      : ['It votes for ', foreign(own_label, 'answer'), truthOf(group.own_label_correct), '. '];
  const teachers = rewarded_by.join(', ');
  if (reward_status === null) return [...own, 'Its rewards wait for the teachers.'];
  const why = reason === null ? [] : [' ', reason];
  if (label === null) return [...own, `Status ${reward_status}: it is rewarded against no label.`, ...why];
  const source = teachers === '' ? '' : ` of ${teachers}`;
  return [
    ...own,
    `Status ${reward_status}: rewarded against the label `,
    foreign(label, 'answer'),
    truthOf(group.label_correct),
    `${source} (${reward_source ?? 'none'}).`,
    ...why,
  ];
}

/**
 * Whether a label is true; nothing where that is not known.
 * @param {boolean | null} correct
 */
function truthOf(correct) {
  if (correct === null) return null;
  return h('span', { class: correct ? 'verity right' : 'verity wrong' }, correct ? ' (right)' : ' (wrong)');
}

/**
 * @param {Cluster} cluster
 * @param {Group} group
 * @param {number} voters
 */
function showCluster({ answer, key, votes }, { own_label, label }, voters) {
  const marks = [answer === own_label ? 'own label' : null, answer === label ? 'rewarded' : null].filter(
    Boolean,
  );
  return h(
    'li',
    {},
    h('meter', {
      min: 0,
      max: Math.max(1, voters),
      value: votes,
      'aria-label': `${countNoun(votes, 'vote')} of ${voters}`,
    }),
    h('span', { class: 'votes' }, `${votes}`),
    foreign(answer, 'answer'),
    answer === key ? null : h('span', { class: 'note' }, 'key ', foreign(key, 'key')),
    ...marks.map((mark) => h('span', { class: 'mark' }, mark)),
  );
}

/** @param {Group} group */
function rolloutTable({ agent, rollouts }) {
  return table(
    `Rollouts of ${agent}`,
    ['Rollout', 'Reward', 'Answer', 'Canonical key'],
    rollouts.map(({ id, answer, key, reward, late }) => [
      h('span', {}, foreign(id, 'one-line'), late ? h('span', { class: 'note' }, ' late, no vote') : null),
      h(
        'span',
        { class: reward === null ? 'reward none' : reward > 0 ? 'reward paid' : 'reward' },
        formatFigure(reward),
      ),
      answer === null ? h('span', { class: 'nothing' }, 'abstains') : foreign(answer, 'answer'),
      key === null ? '–' : foreign(key, 'key'),
    ]),
  );
}
