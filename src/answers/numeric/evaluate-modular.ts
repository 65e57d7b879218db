import type { Node } from '../math/node.ts';
import { evaluateExact } from './evaluate-exact.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/**
 * A safe prime below 2^61, so that no power is periodic with a short period: modulo the Mersenne prime 2^61 - 1
 * itself 2^n and 2^(n+61) are one.
 */
const PRIME = 2305843009213691579n;

/**
 * The value of a rational expression modulo a 61-bit prime at a name-hashed point, with π and e as indeterminates:
 * equal for equal rational functions of any degree, different for others but for a chance of degree / 2^61
 * (Schwartz–Zippel). Null for anything that is no rational function.
 */
export function evaluateModular(node: Node, seed: bigint, budget: WorkBudget): bigint | null {
  if (!spend(budget, 1)) return null;
  const value = (child: Node): bigint | null => evaluateModular(child, seed, budget);
  switch (node.kind) {
    case 'number':
      return quotient(residue(node.value.num), residue(node.value.den));
    case 'symbol':
      return node.name === 'i' ? null : hashSymbol(node.name, seed);
    case 'unit':
      return value(node.item);
    case 'negate': {
      const item = value(node.item);
      return item === null ? null : residue(-item);
    }
    case 'add':
      return fold(node.items, 0n, value, (a, b) => a + b);
    case 'multiply':
      return fold(node.items, 1n, value, (a, b) => a * b);
    case 'divide':
      return quotient(value(node.top), value(node.bottom));
    case 'power': {
      const base = value(node.base);
      const exponent = evaluateExact(node.exponent, budget);
      if (base === null || exponent === null || exponent.den !== 1n) return null;
      return exponent.num < 0n
        ? quotient(1n, powerModular(base, -exponent.num))
        : powerModular(base, exponent.num);
    }
    case 'call':
      if (node.name === 'exp' && node.args[0] !== undefined) {
        return value({ kind: 'power', base: { kind: 'symbol', name: 'e' }, exponent: node.args[0] });
      }
      return exactResidue(node, budget);
    default:
      return exactResidue(node, budget);
  }
}

function exactResidue(node: Node, budget: WorkBudget): bigint | null {
  const exact = evaluateExact(node, budget);
  return exact === null ? null : quotient(residue(exact.num), residue(exact.den));
}

function fold(
  items: Node[],
  start: bigint,
  value: (node: Node) => bigint | null,
  operation: (a: bigint, b: bigint) => bigint,
): bigint | null {
  let result = start;
  for (const item of items) {
    const next = value(item);
    if (next === null) return null;
    result = residue(operation(result, next));
  }
  return result;
}

function quotient(top: bigint | null, bottom: bigint | null): bigint | null {
  if (top === null || bottom === null || bottom === 0n) return null;
  return residue(top * powerModular(bottom, PRIME - 2n));
}

function residue(value: bigint): bigint {
  const rest = value % PRIME;
  return rest < 0n ? rest + PRIME : rest;
}

function powerModular(base: bigint, exponent: bigint): bigint {
  // Fermat: exponents count modulo PRIME - 1, which also keeps huge ones cheap.
  let rest = base === 0n ? exponent : exponent % (PRIME - 1n);
  if (base === 0n) return exponent === 0n ? 1n : 0n;
  let square = base;
  let result = 1n;
  while (rest > 0n) {
    if (rest % 2n === 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
    rest /= 2n;
  }
  return result;
}

function hashSymbol(name: string, seed: bigint): bigint {
  let hash = seed;
  for (let i = 0; i < name.length; i += 1) {
    hash = residue((hash ^ BigInt(name.charCodeAt(i))) * 0x5851f42d4c957f2dn + 0x14057b7ef767814fn);
  }
  return hash === 0n ? 1n : hash;
}
