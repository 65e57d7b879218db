import { parseArgs } from 'node:util';
import { canonicalKey } from '../src/answers/canonical-key.ts';
import { extract } from '../src/answers/extract.ts';
import { analyse } from '../src/answers/forms/analyse.ts';
import { grade } from '../src/answers/grade.ts';
import { EXTRACTION_MODES } from '../src/answers/modes.ts';

/**
 * Feeds random mathematics, prose and bytes to the answer engine for `--seconds` (default 600), from `--seed` (default 1).
 * Exits with 1 on an exception, a key that changes or is long, an asymmetric grade, an answer that is not accepted for
 * itself, or an input whose time is out of proportion to its length.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const LIMIT_MS = 50;
const PIECES = (
  '\\frac { } ( ) [ ] \\{ \\} 1 2 37 0.5 .25 1,000 x y n F_n + - * / ^ _ , ; = < > \\le \\ne | \\sqrt \\sqrt[3] \\sin \\log_2 \\pi i e ! % ' +
  '\\text{cm} \\mathrm{~m} \\begin{pmatrix} \\end{pmatrix} \\begin{cases} \\end{cases} & \\\\ \\pm \\cup \\cap \\setminus \\in \\infty ' +
  '\\sum_{k=1}^{n} \\sum_{k=1}^{99} \\prod \\int \\lim_{x\\to0} dx $ $$ \\( \\) \\[ \\] \\boxed{ \\boxed <answer> </answer> <think> </think> ' +
  '#### Question: answer is Final Answer: 答案： A (B) C. and or not \\left( \\right) \\left| \\right| : \\mathbb{R} \\ldots words here 52_8 ' +
  '^\\circ \\binom{n}{k} \\overline{3} \\vec{v} \\lfloor \\rfloor 9^{9^{9}} 2^{1000} 100! e^{x} ```  ** <|im_end|> \ud800 √ ∞ ≤ ½ ² 度 。'
).split(' ');

let state = Number(values.seed) >>> 0;
function random(below: number): number {
  state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
  return ((state ^ (state >>> 15)) >>> 0) % below;
}

function generate(): string {
  const kind = random(10);
  const length = 1 + random(kind < 8 ? 24 : 400);
  let text = '';
  for (let i = 0; i < length; i += 1) {
    const piece = PIECES[random(PIECES.length)] ?? '';
    if (kind === 9 && random(3) === 0) text += String.fromCharCode(random(0x250));
    text += random(4) === 0 ? piece : `${piece} `;
    if (random(60) === 0) text += piece.repeat(1 + random(50));
  }
  return text;
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function fail(what: string, text: string): never {
  console.error(`${what}: ${JSON.stringify(text)}`);
  process.exit(1);
}

const end = Date.now() + 1000 * Number(values.seconds);
let count = 0;
let slowest = 0;
let previous = '1';
while (Date.now() < end) {
  const text = generate();
  const mode = EXTRACTION_MODES[random(EXTRACTION_MODES.length)] ?? 'auto';
  try {
    const time =
      timed(() => analyse(text)) + timed(() => extract(text, { mode, pattern: 'is (.*)', fallback: 'last' }));
    if (time > LIMIT_MS) {
      // A busy machine delays anything once; only what is slow every time is slow.
      const runs = Array.from(
        { length: 5 },
        () =>
          timed(() => analyse(text)) +
          timed(() => extract(text, { mode, pattern: 'is (.*)', fallback: 'last' })),
      );
      if (Math.min(...runs) > LIMIT_MS) fail(`${Math.min(...runs).toFixed(0)} ms`, text);
    } else slowest = Math.max(slowest, time);
    const found = extract(text, { mode, truncated: random(2) === 0, pattern: 'is (.*)' });
    if (found === '') fail(`an empty answer in mode ${mode}`, text);
    const key = canonicalKey(text);
    if (key !== analyse(text)?.key && key !== null) fail('a key that changes', text);
    if (key !== null && (key === '' || key.length > 300)) fail('a key of a wrong length', text);
    if (key !== null && !grade(text, text).equal) fail('an answer that is not accepted for itself', text);
    if (grade(text, previous).equal !== grade(previous, text).equal)
      fail(`an asymmetric grade with ${previous}`, text);
    if (random(8) === 0) previous = text;
  } catch (error) {
    fail(String(error), text);
  }
  count += 1;
}
console.log(
  `${count} inputs from seed ${values.seed} in ${values.seconds} s: no failure; slowest ${slowest.toFixed(1)} ms`,
);
