import type { Learner } from './dynamics.ts';
import { bisect, pull, speed } from './vote-curve.ts';

/** Points of the quadrature on each side; the integrand is smooth, and the error far below 1e-9. */
const POINTS = 2_000;

/** F(p) = ∫ from 1/2 to p of φ_K/q_K at η = 1: even about 1/2, rising away from it. `p` strictly between 0 and 1. */
function potential(k: number, p: number): number {
  // In log-odds dp/(p(1−p)) = dl, which takes the poles of 1/q at 0 and 1 out of the integral. Simpson's rule.
  const end = Math.log(p) - Math.log1p(-p);
  const step = end / POINTS;
  const integrand = (l: number) => {
    const at = 1 / (1 + Math.exp(-l));
    return (pull(k, at) * at * (1 - at)) / speed(k, at);
  };
  let sum = 0;
  for (let i = 0; i <= POINTS; i++) {
    sum += (i === 0 || i === POINTS ? 1 : i % 2 === 1 ? 4 : 2) * integrand(i * step);
  }
  return (sum * step) / 3;
}

/**
 * What two agents that teach each other keep for ever: η_B·F_A(p_A) − η_A·F_B(p_B) (Theorem 1, which has equal η
 * and K): F_A grows by η_A φ_A φ_B and F_B by η_B φ_A φ_B per unit of time. Binary answers.
 */
export function conserved(a: Learner, b: Learner, pA: number, pB: number): number {
  return b.eta * potential(a.k, pA) - a.eta * potential(b.k, pB);
}

/**
 * The separatrix of two agents: the p_B opposite to a given p_A, below which both end at 0 and above which both end at
 * 1. With equal K and η it is 1 − p_A; otherwise it bends. Binary answers.
 */
export function separatrixOpposite(a: Learner, b: Learner, pA: number): number {
  if (a.k === b.k && a.eta === b.eta) return 1 - pA;
  const target = b.eta * potential(a.k, pA);
  const level = (p: number) => a.eta * potential(b.k, p) - target;
  const edge = 1e-9;
  // Below 1/2 the potential falls with p, above it rises: search on the other side of 1/2 than p_A.
  return pA >= 0.5 ? bisect((p) => -level(p), edge, 0.5) : bisect(level, 0.5, 1 - edge);
}
