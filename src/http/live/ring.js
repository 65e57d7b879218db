import { svg } from './dom.js';
import { countNoun, formatAge } from './format.js';

/** Of more edges than these, only those on which somebody waits are drawn, and none is labeled. */
const MOST_EDGES = 24;

/**
 * @typedef {{ name: string, teachers: string[] }} Agent
 * @typedef {{ agent: string, for: string, prompts: number, oldest_age_ms: number }} Wait
 * @typedef {{ x: number, y: number }} Point
 */

/**
 * Who learns from whom: agents on a circle, an arrow from each teacher to who learns from it, as its labels go; thick where they
 * are waited for.
 * @param {Agent[]} agents
 * @param {Wait[]} waits
 * @param {(name: string) => string} colorOf Class of an agent's colour.
 */
export function drawRing(agents, waits, colorOf) {
  const radius = agents.length === 2 ? 96 : Math.min(190, 62 + agents.length * 9);
  const node = agents.length <= 12 ? 19 : 9;
  const width = 2 * radius + 280;
  const height = (agents.length === 2 ? 60 : 2 * radius) + 110;
  const places = new Map(
    agents.map((agent, at) => [agent.name, placeOf(at, agents.length, radius, width, height)]),
  );
  const waiting = new Map(waits.map((wait) => [JSON.stringify([wait.agent, wait.for]), wait]));
  const edges = agents.flatMap(({ name, teachers }) =>
    teachers
      .filter((teacher) => teacher !== name)
      .map((teacher) => ({ from: teacher, to: name, wait: waiting.get(JSON.stringify([name, teacher])) })),
  );
  const drawn = edges.length <= MOST_EDGES ? edges : edges.filter(({ wait }) => wait !== undefined);
  const ordered = drawn.toSorted((a, b) => Number(a.wait !== undefined) - Number(b.wait !== undefined));
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'ring', role: 'img', 'aria-label': describe(agents, waits) },
    svg('defs', {}, head('head-idle', 'head'), head('head-waits', 'head waits')),
    ...ordered.flatMap((edge) => {
      const isMutual = edges.some(({ from, to }) => from === edge.to && to === edge.from);
      return drawEdge(edge, places, {
        node,
        width,
        height,
        isMutual,
        isLabeled: edges.length <= MOST_EDGES,
      });
    }),
    ...agents.map(({ name }) => {
      const color = waits.some((wait) => wait.for === name) ? `${colorOf(name)} awaited` : colorOf(name);
      return drawAgent(name, places.get(name), { node, width }, color);
    }),
  );
}

/**
 * The same in words, for who cannot see it.
 * @param {Agent[]} agents
 * @param {Wait[]} waits
 */
function describe(agents, waits) {
  if (waits.length === 0) return `${countNoun(agents.length, 'agent')}; nobody waits.`;
  const all = waits.map(
    ({ agent, for: teacher, prompts }) => `${agent} waits for ${teacher} on ${countNoun(prompts, 'prompt')}`,
  );
  return `${all.slice(0, 20).join('; ')}.`;
}

/**
 * @param {string} id
 * @param {string} className
 */
function head(id, className) {
  return svg(
    'marker',
    {
      id,
      viewBox: '0 0 8 8',
      refX: 7,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      markerUnits: 'userSpaceOnUse',
      orient: 'auto',
    },
    svg('path', { d: 'M0 0.5 L8 4 L0 7.5 z', class: className }),
  );
}

/**
 * @param {number} at
 * @param {number} count
 * @param {number} radius
 * @param {number} width
 * @param {number} height
 * @returns {Point}
 */
function placeOf(at, count, radius, width, height) {
  const angle = (2 * Math.PI * at) / count - (count === 2 ? Math.PI : Math.PI / 2);
  return { x: width / 2 + radius * Math.cos(angle), y: height / 2 + radius * Math.sin(angle) };
}

/**
 * @param {{ from: string, to: string, wait: Wait | undefined }} edge
 * @param {Map<string, Point>} places
 * @param {{ node: number, width: number, height: number, isMutual: boolean, isLabeled: boolean }} options
 */
function drawEdge({ from, to, wait }, places, { node, width, height, isMutual, isLabeled }) {
  const start = places.get(from);
  const end = places.get(to);
  if (start === undefined || end === undefined) return [];
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const length = Math.hypot(dx, dy) || 1;
  // Away from the middle of the drawing; to one side of its way where there is an arrow back, so that both are seen.
  const outwards = (start.x + end.x - width) * dy - (start.y + end.y - height) * dx >= 0 ? 1 : -1;
  const bend = Math.min(30, length / 6) * (isMutual ? 1 : outwards);
  const middle = {
    x: (start.x + end.x) / 2 + (dy / length) * bend,
    y: (start.y + end.y) / 2 - (dx / length) * bend,
  };
  const a = towards(start, middle, node + 3);
  const b = towards(end, middle, node + 4);
  const path = svg('path', {
    d: `M${a.x.toFixed(1)} ${a.y.toFixed(1)} Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${b.x.toFixed(1)} ${b.y.toFixed(1)}`,
    class: wait ? 'edge waits' : 'edge',
    'marker-end': wait ? 'url(#head-waits)' : 'url(#head-idle)',
  });
  if (!wait || !isLabeled) return [path];
  const side = Math.sign(bend);
  const x = (a.x + 2 * middle.x + b.x) / 4 + (dy / length) * 12 * side;
  const y = (a.y + 2 * middle.y + b.y) / 4 - (dx / length) * 12 * side;
  const anchor = Math.abs(dx) > 2 * Math.abs(dy) ? 'middle' : dy * side > 0 ? 'start' : 'end';
  const since = performance.now() - wait.oldest_age_ms;
  return [
    path,
    svg(
      'text',
      { x, y, class: 'edge-label', 'text-anchor': anchor, 'dominant-baseline': 'middle' },
      `${countNoun(wait.prompts, 'prompt')}, `,
      svg('tspan', { 'data-since': since }, formatAge(wait.oldest_age_ms)),
    ),
  ];
}

/**
 * The point so far from one on the way to another.
 * @param {Point} from
 * @param {Point} to
 * @param {number} distance
 */
function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) / length) * distance,
    y: from.y + ((to.y - from.y) / length) * distance,
  };
}

/**
 * @param {string} name
 * @param {Point | undefined} place
 * @param {{ node: number, width: number }} size
 * @param {string} color
 */
function drawAgent(name, place, { node, width }, color) {
  if (place === undefined) return null;
  const { x, y } = place;
  const side = x < width / 2 - 20 ? -1 : x > width / 2 + 20 ? 1 : 0;
  const label = name.length > 16 ? `${name.slice(0, 15)}…` : name;
  return svg(
    'g',
    { class: `agent ${color}` },
    svg('title', {}, name),
    svg('circle', { cx: x, cy: y, r: node }),
    svg(
      'text',
      {
        x: x + side * (node + 6),
        y: side === 0 ? y + (y < 130 ? -node - 10 : node + 12) : y,
        'text-anchor': side === 0 ? 'middle' : side < 0 ? 'end' : 'start',
        'dominant-baseline': 'middle',
      },
      label,
    ),
  );
}
