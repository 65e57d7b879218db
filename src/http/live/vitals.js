import { h, show } from './dom.js';
import { FIGURES } from './figures-table.js';
import { formatFigure } from './format.js';

/** Share of the points at either end that "now" and "at first" are the mean of. */
const END = 0.1;

/** The figures that tell a healthy run from a collapsing one, now and at first, over all agents or pairs. */
export class Vitals {
  constructor() {
    this.element = h('dl', { class: 'vitals', hidden: true });
  }

  /** @param {import('./figures-table.js').Reply} reply */
  show(reply) {
    const signs = FIGURES.filter(([, , , , isVital]) => isVital).flatMap(([name, title]) => {
      const all = [...reply.agents, ...reply.pairs].flatMap(({ series }) => {
        const values = series[name]?.value.filter((value) => value !== null) ?? [];
        return values.length === 0 ? [] : [values];
      });
      if (all.length === 0) return [];
      const now = formatFigure(mean(all.map((values) => ends(values).last)));
      const first = formatFigure(mean(all.map((values) => ends(values).first)));
      return [{ title, now, first: all.some((values) => values.length > 1) ? first : null }];
    });
    this.element.hidden = signs.length === 0;
    show(this.element, signs, () =>
      signs.map(({ title, now, first }) =>
        h(
          'div',
          {},
          h('dt', {}, title),
          h(
            'dd',
            {},
            h('strong', {}, now),
            first === null ? null : h('span', { class: 'note' }, ` at first ${first}`),
          ),
        ),
      ),
    );
  }
}

/** @param {number[]} values */
function ends(values) {
  const size = Math.max(1, Math.ceil(values.length * END));
  return { first: mean(values.slice(0, size)), last: mean(values.slice(-size)) };
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
