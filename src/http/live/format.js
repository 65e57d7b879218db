import { h } from './dom.js';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** @param {number} count */
export function formatCount(count) {
  return whole.format(count);
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function countNoun(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {number} ms */
export function formatAge(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/**
 * A figure with three digits that matter; a dash where there is none.
 * @param {number | null | undefined} value
 */
export function formatFigure(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0 || Number.isInteger(value)) return whole.format(value);
  const size = Math.abs(value);
  return size >= 1000
    ? whole.format(value)
    : size >= 0.001
      ? String(Number(value.toPrecision(3)))
      : value.toExponential(1);
}

/**
 * An age that goes on by itself: `tick` renews all of them.
 * @param {number} msAgo
 * @param {number} [seenAt] When it was so old; `performance.now()`.
 */
export function age(msAgo, seenAt = performance.now()) {
  return h(
    'span',
    { class: 'age', 'data-since': seenAt - msAgo },
    formatAge(performance.now() - seenAt + msAgo),
  );
}

/** Lets every age on the page go on. */
export function tick() {
  const now = performance.now();
  for (const element of document.querySelectorAll('[data-since]')) {
    const text = formatAge(now - Number(element.getAttribute('data-since')));
    if (element.textContent !== text) element.textContent = text;
  }
}
