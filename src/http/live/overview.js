import { h, show, table } from './dom.js';
import { age, countNoun, formatCount } from './format.js';
import { drawRing } from './ring.js';
import { VerdictLine } from './verdict-line.js';

/**
 * What goes on in a cohort right now.
 * @typedef {{ name: string, role: string, k: number, teachers: string[], incarnation: string | null, finished: boolean, rollouts: number, last_arrival_ms_ago: number | null }} Agent
 * @typedef {{ open_buckets: number, held_requests: number, agents: Agent[], waits: import('./ring.js').Wait[], verdict: { severity: string | null, findings: import('./verdict-line.js').Finding[] } }} State
 */

/** The parts of the overview, each renewed only where it changed. */
export class Overview {
  /** @param {HTMLElement} vitals What the curves come to; shown right below the verdict. */
  constructor(vitals) {
    this.verdict = new VerdictLine();
    this.facts = h('dl', { class: 'facts' });
    this.ring = h('div', { class: 'ring-place' });
    this.waits = h('div', { hidden: true });
    this.agents = h('div');
    this.element = h(
      'div',
      {},
      this.verdict.element,
      vitals,
      this.facts,
      h(
        'div',
        { class: 'columns' },
        h(
          'section',
          { class: 'panel', 'aria-labelledby': 'waits-title' },
          h(
            'div',
            { class: 'panel-head' },
            h('h2', { id: 'waits-title' }, 'Who waits for whom'),
            this.#toggle(),
          ),
          this.ring,
          this.waits,
        ),
        h(
          'section',
          { class: 'panel', 'aria-labelledby': 'agents-title' },
          h('div', { class: 'panel-head' }, h('h2', { id: 'agents-title' }, 'Agents')),
          this.agents,
        ),
      ),
    );
  }

  /** @param {State} state */
  show(state) {
    const { agents, waits } = state;
    const colorOf = colorsOf(agents);
    this.verdict.show(
      state.verdict,
      agents.some(({ rollouts }) => rollouts > 0),
    );
    show(this.facts, [state.open_buckets, state.held_requests, waits], () => factsOf(state));
    show(this.ring, [agents.map(({ name, teachers }) => [name, teachers]), waits], () => [
      drawRing(agents, waits, colorOf),
    ]);
    show(this.waits, waits, () => [waitTable(waits)]);
    show(this.agents, agents, () => [agentTable(agents, colorOf)]);
  }

  #toggle() {
    const button = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Show as table');
    button.addEventListener('click', () => {
      const pressed = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(pressed));
      this.ring.hidden = pressed;
      this.waits.hidden = !pressed;
    });
    return button;
  }
}

/**
 * Each agent's class of colour, by its place in the cohort.
 * @param {{ name: string }[]} agents
 * @returns {(name: string) => string}
 */
export function colorsOf(agents) {
  const places = new Map(agents.map(({ name }, at) => [name, at]));
  return (name) => `series-${(places.get(name) ?? 0) % 8}`;
}

/** @param {State} state */
function factsOf({ open_buckets, held_requests, waits }) {
  const awaited = new Map();
  for (const wait of waits) {
    awaited.set(wait.for, Math.max(awaited.get(wait.for) ?? 0, wait.oldest_age_ms));
  }
  const [first] = [...awaited].sort(([, a], [, b]) => b - a);
  const others = awaited.size > 1 ? ` and ${countNoun(awaited.size - 1, 'other')}` : '';
  return [
    fact(
      'Waited for',
      first === undefined ? 'nobody' : h('strong', {}, first[0], others),
      first && [' since ', age(first[1])],
    ),
    fact('Open prompts', formatCount(open_buckets)),
    fact('Requests held here', formatCount(held_requests)),
  ];
}

/**
 * @param {string} term
 * @param {...(import('./dom.js').Child | import('./dom.js').Child[] | undefined)} values
 */
function fact(term, ...values) {
  return h('div', {}, h('dt', {}, term), h('dd', {}, ...values));
}

/** @param {State['waits']} waits */
function waitTable(waits) {
  if (waits.length === 0) return h('p', { class: 'nothing' }, 'Nobody waits.');
  return table(
    'Who waits for whom',
    ['Agent', 'waits for', 'on', 'since'],
    waits.map((wait) => [wait.agent, wait.for, countNoun(wait.prompts, 'prompt'), age(wait.oldest_age_ms)]),
  );
}

/**
 * @param {Agent[]} agents
 * @param {(name: string) => string} colorOf
 */
function agentTable(agents, colorOf) {
  return table(
    'Agents',
    ['Agent', 'Last seen', 'Rollouts', 'k', 'Learns from', 'Incarnation'],
    agents.map((agent) => [
      h('span', { class: `name ${colorOf(agent.name)}` }, agent.name),
      agent.finished
        ? 'has finished'
        : agent.last_arrival_ms_ago === null
          ? 'never'
          : h('span', {}, age(agent.last_arrival_ms_ago), ' ago'),
      formatCount(agent.rollouts),
      String(agent.k),
      agent.role === 'teacher' ? 'only teaches' : teachersOf(agent, agents.length),
      agent.incarnation ?? '–',
    ]),
  );
}

/**
 * @param {Agent} agent
 * @param {number} agents
 */
function teachersOf({ name, teachers }, agents) {
  const others = teachers.filter((teacher) => teacher !== name);
  if (teachers.length === 0) return '–';
  if (others.length === 0) return 'itself';
  return others.length > 3 && others.length === agents - 1 ? 'all others' : teachers.join(', ');
}
