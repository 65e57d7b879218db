/** Characters beyond which a text scrolls in a box of its own. */
const LONG = 300;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Readonly<Record<string, unknown>>} Attributes
 */

/**
 * An element. Attributes that are null or false are left out, functions are listeners. Text never becomes markup: there is
 * no other way to put any on this page.
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/**
 * The same for drawings.
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, children);
  return element;
}

/**
 * Text that a model or a trainer wrote, kept from turning the rest of the line around.
 * @param {string} text
 * @param {string} [className]
 */
export function foreign(text, className = '') {
  const isLong = text.length > LONG;
  return h('bdi', { class: `foreign ${className}${isLong ? ' long' : ''}`, tabindex: isLong && 0 }, text);
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * A table with a caption that only screen readers need, and a header for each row.
 * @param {string} caption
 * @param {string[]} columns
 * @param {Child[][]} rows
 */
export function table(caption, columns, rows) {
  return h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    h(
      'table',
      {},
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column)))),
      h(
        'tbody',
        {},
        ...rows.map(([first, ...rest]) =>
          h('tr', {}, h('th', { scope: 'row' }, first), ...rest.map((cell) => h('td', {}, cell))),
        ),
      ),
    ),
  );
}

/**
 * Lets the arrow keys, Home and End move between the links of a list.
 * @param {HTMLElement} list
 */
export function moveByArrows(list) {
  list.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    links[Math.min(Math.max(to, 0), links.length - 1)]?.focus();
  });
}

/**
 * Shows other content where it differs from what is shown, and puts the focus back on the link or field that had it.
 * @param {HTMLElement} place
 * @param {unknown} version What the content is made of.
 * @param {() => Child[]} make
 */
export function show(place, version, make) {
  const text = JSON.stringify(version);
  if (shown.get(place) === text) return;
  shown.set(place, text);
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const again = focused === null ? null : (focused.getAttribute('href') ?? focused.id);
  place.replaceChildren(...make().flatMap((child) => (child instanceof Node ? child : [])));
  if (!again) return;
  const same = [...place.querySelectorAll('a, [id]')].find(
    (each) => each.getAttribute('href') === again || each.id === again,
  );
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

/** @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();
