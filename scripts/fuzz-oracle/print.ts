import type { Chance } from './chance.ts';
import { type Expression, partsOf } from './expression.ts';
import type { Fraction } from './fraction.ts';

export type Style = 'latex' | 'plain' | 'unicode';

export const STYLES: readonly Style[] = ['latex', 'plain', 'unicode'];

const SUM = 1;
const PRODUCT = 2;
const POWER = 3;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

interface Text {
  text: string;
  /** How tightly it holds together. */
  level: number;
}

/** An expression in one of the spellings that models use. */
export function print(node: Expression, style: Style, chance: Chance): string {
  return write(node, style, chance).text;
}

function write(node: Expression, style: Style, chance: Chance): Text {
  if (node.kind === 'number') return writeNumber(node.value, style, chance);
  if (node.kind === 'name') return { text: node.name, level: POWER + 1 };
  const parts = partsOf(node);
  const at = (i: number, level: number): string => {
    const part = parts[i];
    if (part === undefined) return '';
    const { text, level: own } = write(part, style, chance);
    return own < level ? bracket(text, style) : text;
  };
  switch (node.kind) {
    case 'sum':
      return {
        text: joinSum(
          parts.map((_, i) => at(i, PRODUCT)),
          style,
        ),
        level: SUM,
      };
    case 'product':
      return {
        text: parts
          .map((_, i) => at(i, i === 0 ? PRODUCT : POWER))
          .reduce((a, b) => joinProduct(a, b, style, chance)),
        level: PRODUCT,
      };
    case 'opposite':
      return { text: `${minusSign(style)}${at(0, PRODUCT)}`, level: SUM };
    case 'quotient':
      return style === 'latex'
        ? { text: `\\${chance.pick(['frac', 'dfrac'])}{${at(0, 0)}}{${at(1, 0)}}`, level: PRODUCT }
        : { text: `${at(0, POWER)}/${at(1, POWER)}`, level: PRODUCT };
    case 'power':
      return { text: writePower(at(0, POWER + 1), node.exponent, style), level: POWER };
    default:
      return writeFunction(
        node.kind,
        parts.map((_, i) => at(i, 0)),
        style,
        chance,
      );
  }
}

function writeNumber({ top, bottom }: Fraction, style: Style, chance: Chance): Text {
  const sign = top < 0n ? minusSign(style) : '';
  const size = top < 0n ? -top : top;
  const level = top < 0n ? SUM : POWER + 1;
  if (bottom === 1n) return { text: `${sign}${size}`, level };
  const decimal = Number(size) / Number(bottom);
  if (1000n % bottom === 0n && chance.once(3)) return { text: `${sign}${decimal}`, level };
  return style === 'latex'
    ? { text: `${sign}\\frac{${size}}{${bottom}}`, level: Math.min(level, PRODUCT) }
    : { text: `${sign}${size}/${bottom}`, level: Math.min(level, PRODUCT) };
}

function joinSum(terms: string[], style: Style): string {
  return terms.reduce((sum, term) => {
    const bare = bareMinus(term, style);
    return bare === null ? `${sum}+${term}` : `${sum}${minusSign(style)}${bare}`;
  });
}

/** A bracketed negative term without its brackets and sign. */
function bareMinus(term: string, style: Style): string | null {
  const open = style === 'latex' ? '\\left(' : '(';
  const start = open + minusSign(style);
  const close = style === 'latex' ? '\\right)' : ')';
  const inside = term.slice(start.length, -close.length);
  return term.startsWith(start) && term.endsWith(close) && /^[\w./]+$/.test(inside) ? inside : null;
}

function joinProduct(left: string, right: string, style: Style, chance: Chance): string {
  const juxtaposed = /^\d+$/.test(left) && /^[a-z](?![a-z])|^\(|^\\left\(/.test(right);
  if (juxtaposed && !chance.once(3)) return left + right;
  if (style === 'latex') return `${left}${chance.pick(['\\cdot ', '\\times '])}${right}`;
  return `${left}${style === 'plain' ? '*' : '·'}${right}`;
}

function writePower(base: string, exponent: number, style: Style): string {
  if (style === 'latex') return `${base}^{${exponent}}`;
  if (style === 'unicode' && exponent >= 0 && exponent < 10) return base + SUPERSCRIPTS.charAt(exponent);
  return exponent < 0 ? `${base}^(${exponent})` : `${base}^${exponent}`;
}

function writeFunction(name: string, args: string[], style: Style, chance: Chance): Text {
  const level = POWER + 1;
  const [first = ''] = args;
  const bars = ['abs', 'floor', 'ceil'].includes(name);
  if (style === 'latex') {
    if (name === 'sqrt') return { text: `\\sqrt{${first}}`, level };
    if (name === 'exp') return { text: `e^{${first}}`, level: POWER };
    if (name === 'abs')
      return { text: chance.pick([`\\left|${first}\\right|`, `\\lvert ${first}\\rvert `]), level };
    if (bars) return { text: `\\left\\l${name} ${first}\\right\\r${name} `, level };
    const command = name === 'sgn' ? '\\operatorname{sgn}' : `\\${name}`;
    return { text: `${command}\\left(${args.join(',')}\\right)`, level };
  }
  if (style === 'unicode' && bars) {
    const [open, close] = name === 'abs' ? ['|', '|'] : name === 'floor' ? ['⌊', '⌋'] : ['⌈', '⌉'];
    // Bars within bars are read either way.
    return first.includes('|') && name === 'abs'
      ? { text: `abs(${first})`, level }
      : { text: `${open}${first}${close}`, level };
  }
  if (style === 'unicode' && name === 'sqrt') return { text: `√(${first})`, level };
  return { text: `${name}(${args.join(', ')})`, level };
}

function bracket(text: string, style: Style): string {
  return style === 'latex' ? `\\left(${text}\\right)` : `(${text})`;
}

function minusSign(style: Style): string {
  return style === 'unicode' ? '−' : '-';
}
