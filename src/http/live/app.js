import { ApiError, get, token } from './api.js';
import { CohortView } from './cohort-view.js';
import { h, moveByArrows, show } from './dom.js';
import { countNoun, tick } from './format.js';
import { linkTo, readRoute } from './route.js';

const LIST_EVERY_MS = 5_000;
/** A short list needs no field to narrow it. */
const LONG_LIST = 8;

const main = element('main');
const side = element('cohorts');
const connection = element('connection');
const forget = /** @type {HTMLButtonElement} */ (element('forget'));

/** @type {CohortView | null} */
let view = null;
/** @type {{ name: string, findings: number, severity: string | null, config: { method: string, agents: unknown[] } }[] | null} */
let cohorts = null;
let filter = '';
/** When the server was last heard of. */
let heardAt = performance.now();
let isLost = false;

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {'live' | 'polling' | 'lost' | 'locked'} state */
function tellConnection(state) {
  const now = performance.now();
  if (state === 'live' || state === 'polling') heardAt = now;
  isLost = state === 'lost';
  const text = {
    live: 'Live',
    polling: 'Every few seconds',
    lost: 'The server does not answer. Trying again.',
    locked: 'A token is wanted',
  }[state];
  if (connection.dataset.state === state) return;
  connection.dataset.state = state;
  connection.textContent = text;
  const old = document.querySelector('.stale');
  if (!isLost) old?.remove();
  else if (old === null && view !== null) {
    const since = h('span', { 'data-since': heardAt }, '0 s');
    main.prepend(
      h('p', { class: 'notice stale' }, 'No connection to the server. What is shown is ', since, ' old.'),
    );
  }
}

/** Shows what the address says. */
function go() {
  const route = readRoute(location.hash);
  document.title = [route.prompt, route.cohort, 'PeerVote'].filter(Boolean).join(' – ');
  showList();
  if (route.cohort === null) {
    closeView();
    showStart();
    return;
  }
  if (view?.cohort !== route.cohort) {
    closeView();
    view = new CohortView(route.cohort, { tell: tellConnection, fail });
    main.replaceChildren(view.element);
  }
  view.show(route);
}

function closeView() {
  view?.close();
  view = null;
}

/**
 * What cannot be shown is said instead of it.
 * @param {unknown} error
 */
function fail(error) {
  const { status, message } = error instanceof ApiError ? error : new ApiError(-1, String(error));
  if (status === 401) return askForToken();
  if (status === 0 || status >= 500) return tellConnection('lost');
  closeView();
  const title =
    status === 403 ? 'This token is not for that' : status === 404 ? 'Not here' : 'That did not work';
  main.replaceChildren(h('section', { class: 'panel message' }, h('h1', {}, title), h('p', {}, message)));
}

function askForToken() {
  closeView();
  tellConnection('locked');
  if (document.getElementById('token') !== null) return;
  const wasWrong = token.get() !== null;
  token.forget();
  forget.hidden = true;
  side.replaceChildren();
  const field = /** @type {HTMLInputElement} */ (
    h('input', {
      id: 'token',
      type: 'password',
      autocomplete: 'off',
      required: true,
      'aria-describedby': 'token-help',
    })
  );
  const form = h(
    'form',
    { class: 'panel message' },
    h('h1', {}, 'This server asks for a token'),
    wasWrong
      ? h('p', { class: 'finding warning', role: 'alert' }, 'The server does not know that token.')
      : null,
    h('label', { for: 'token' }, 'Token'),
    h('div', { class: 'row' }, field, h('button', { type: 'submit' }, 'Open')),
    h(
      'p',
      { id: 'token-help', class: 'note' },
      "A reader's or an admin's token shows all cohorts; an agent's token shows its own cohort, whose name is then part of the address (#/cohort). It is kept in this tab only.",
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    token.set(field.value.trim());
    main.replaceChildren();
    go();
    void refreshList();
  });
  main.replaceChildren(form);
  field.focus();
}

/** What there is to see without a cohort. */
function showStart() {
  if (cohorts === null) {
    show(main, 'loading', () => [h('p', { class: 'nothing' }, 'Loading the cohorts.')]);
  } else if (cohorts.length === 0) {
    show(main, 'empty', () => [
      h(
        'section',
        { class: 'panel message' },
        h('h1', {}, 'No cohort yet'),
        h('p', {}, 'A cohort is one training run. Start the server with one, or create it while it runs:'),
        h(
          'pre',
          {},
          'peervote serve --agents qwen,llama --k 8\n\nPUT /v1/cohorts/math   {"agents":["qwen","llama"],"k":8}',
        ),
        h('p', {}, 'This page shows it as soon as it is there.'),
      ),
    ]);
  } else if (cohorts.length === 1 && cohorts[0] !== undefined) {
    location.replace(linkTo(cohorts[0].name));
  } else {
    const { length } = cohorts;
    const wrong = cohorts.filter(({ findings }) => findings > 0).length;
    show(main, ['choose', length, wrong], () => [
      h(
        'section',
        { class: 'panel message' },
        h('h1', {}, countNoun(length, 'cohort')),
        h('p', {}, wrong === 0 ? 'Nothing is wrong with them.' : `Something is wrong with ${wrong} of them.`),
        h('p', {}, 'Choose one from the list.'),
      ),
    ]);
  }
}

function showList() {
  const { cohort: current } = readRoute(location.hash);
  if (cohorts === null) return;
  const chosen = cohorts.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  if (side.querySelector('ul') === null) side.append(h('h2', {}, 'Cohorts'), filterField(), h('ul'));
  const field = side.querySelector('.filter');
  if (field instanceof HTMLElement) field.hidden = cohorts.length <= LONG_LIST;
  const list = side.querySelector('ul');
  if (list === null) return;
  if (list.dataset.arrows === undefined) moveByArrows(list);
  list.dataset.arrows = 'yes';
  show(list, [chosen, current], () =>
    chosen.length === 0
      ? [h('li', { class: 'nothing' }, filter === '' ? 'None yet.' : 'None has this in its name.')]
      : chosen.map(({ name, findings, severity, config }) =>
          h(
            'li',
            {},
            h(
              'a',
              { href: linkTo(name), 'aria-current': name === current && 'page' },
              h('span', { class: 'one-line' }, name),
              h('span', { class: 'note' }, `${config.method}, ${countNoun(config.agents.length, 'agent')}`),
              findings > 0 ? h('span', { class: `badge ${severity}` }, countNoun(findings, 'finding')) : null,
            ),
          ),
        ),
  );
}

function filterField() {
  const field = /** @type {HTMLInputElement} */ (
    h('input', { type: 'search', id: 'filter', autocomplete: 'off', spellcheck: 'false' })
  );
  field.addEventListener('input', () => {
    filter = field.value.trim();
    showList();
  });
  return h('div', { class: 'filter' }, h('label', { for: 'filter' }, 'Narrow the list'), field);
}

async function refreshList() {
  try {
    const reply = await get('cohorts');
    cohorts = reply.cohorts;
    forget.hidden = token.get() === null;
    if (view === null) tellConnection('polling');
    showList();
    if (view === null && readRoute(location.hash).cohort === null) showStart();
  } catch (error) {
    // An agent's token may look at its own cohort only, which the address names.
    const isAgents =
      error instanceof ApiError && error.status === 403 && readRoute(location.hash).cohort !== null;
    if (isAgents) forget.hidden = false;
    // Whoever shows a cohort tells how that goes, which matters more.
    else if (view === null || (error instanceof ApiError && error.status === 401)) fail(error);
  }
}

addEventListener('hashchange', () => {
  const before = view;
  go();
  // Whoever follows a link hears and reads on from what it led to.
  if (before !== view) main.focus({ preventScroll: true });
  if (view !== null || document.getElementById('token') !== null) return;
  if (readRoute(location.hash).cohort === null) showStart();
});
element('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
forget.addEventListener('click', () => {
  token.forget();
  location.reload();
});
addEventListener('online', () => void refreshList());
setInterval(tick, 1_000);
setInterval(() => {
  if (document.visibilityState === 'visible' && document.getElementById('token') === null) void refreshList();
}, LIST_EVERY_MS);
go();
void refreshList();
