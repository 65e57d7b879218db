/** Coefficients of a polynomial, that of the lowest power first. */
export type Coefficients = readonly number[];

export interface RealRoots {
  /** Where the sign changes. */
  crossings: number[];
  /** Where a root is met without a change of sign. */
  touches: Touch[];
}

/** Where a function is zero, or has a pole, without a change of sign; the order is how often. */
export interface Touch {
  at: number;
  order: number;
}

/** What is smaller than this share of its terms is zero. */
const ZERO_SHARE = 1e-11;

/** The real roots of a polynomial, between those of its derivative; each list from left to right. */
export function realRoots(coefficients: Coefficients): RealRoots {
  const roots: RealRoots = { crossings: [], touches: [] };
  const degree = degreeOf(coefficients);
  if (degree < 1) return roots;
  const p = coefficients.slice(0, degree + 1);
  if (degree === 1) return { crossings: [-(p[0] ?? 0) / (p[1] ?? 1)], touches: [] };
  const slopes = realRoots(derivative(p));
  const turns = [...slopes.crossings, ...slopes.touches.map((touch) => touch.at)].sort((a, b) => a - b);
  const bound = 1 + Math.max(...p.slice(0, degree).map((c) => Math.abs(c / (p[degree] ?? 1))));
  const stops = [-bound, ...turns, bound];
  for (const [i, right] of stops.entries()) {
    const left = stops[i - 1];
    if (left === undefined) continue;
    const from = signAt(p, left);
    const to = signAt(p, right);
    if (from * to < 0) roots.crossings.push(bisect((t) => signAt(p, t), left, right));
    if (to !== 0 || i === stops.length - 1) continue;
    const next = signAt(p, ((stops[i + 1] ?? right) + right) / 2);
    const before = signAt(p, (left + right) / 2);
    if (before === next) roots.touches.push({ at: right, order: orderAt(p, right) });
    else roots.crossings.push(right);
  }
  return roots;
}

/** Halves [left, right] until its middle no longer moves; `sign` changes once in it. */
export function bisect(sign: (t: number) => number, left: number, right: number, steps = 80): number {
  let [low, high] = [left, right];
  const start = sign(low);
  for (let i = 0; i < steps; i += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (sign(middle) === start) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How many derivatives are zero there, the polynomial itself counted. */
function orderAt(p: Coefficients, t: number): number {
  return p.length > 1 && signAt(p, t) === 0 ? 1 + orderAt(derivative(p), t) : 0;
}

function derivative(p: Coefficients): number[] {
  return p.slice(1).map((c, i) => c * (i + 1));
}

function degreeOf(coefficients: Coefficients): number {
  let degree = coefficients.length - 1;
  while (degree >= 0 && coefficients[degree] === 0) degree -= 1;
  return degree;
}

function signAt(p: Coefficients, t: number): number {
  let value = 0;
  let size = 0;
  for (let i = p.length - 1; i >= 0; i -= 1) {
    const c = p[i] ?? 0;
    value = value * t + c;
    size = size * Math.abs(t) + Math.abs(c);
  }
  return Math.abs(value) <= size * ZERO_SHARE ? 0 : Math.sign(value);
}
