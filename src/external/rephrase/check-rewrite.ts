import { askedQuantity } from './asked-quantity.ts';
import { compareNumbers, without } from './numbers.ts';

/** Something that a rewrite changed and must not: a stable word for counting, a sentence for the model and people. */
export interface RewriteFault {
  readonly code:
    | 'no_rewrite'
    | 'unchanged'
    | 'length'
    | 'numbers'
    | 'formulas'
    | 'options'
    | 'asked_quantity'
    | 'answer';
  readonly message: string;
}

/** A rewrite longer than this, beside three times the original, explains or solves. */
const SLACK = 200;
const SHOWN = 8;

/**
 * What a rewrite of a problem changed that may change its answer. These checks find what words show; they prove nothing.
 * Empty: nothing was found.
 */
export function checkRewrite(original: string, rewrite: string): readonly RewriteFault[] {
  if (plain(rewrite) === '') return [fault('no_rewrite', 'The rewritten problem is empty.')];
  if (plain(rewrite) === plain(original)) {
    return [fault('unchanged', 'The problem was not rewritten: change its wording.')];
  }
  // First, since the time that the others take grows faster than the text.
  if (rewrite.length > 3 * original.length + SLACK || 4 * rewrite.length < original.length) {
    return [fault('length', 'The rewritten problem is far longer or shorter than the original.')];
  }
  const faults: RewriteFault[] = [];
  const numbers = compareNumbers(original, rewrite);
  faults.push(...compare('numbers', 'numbers', numbers.missing, numbers.added));
  faults.push(...compareLists('formulas', 'formulas and marks', formulasOf(original), formulasOf(rewrite)));
  faults.push(...compareLists('options', 'options', optionsOf(original), optionsOf(rewrite)));
  const [asked, asksNow] = [askedQuantity(original), askedQuantity(rewrite)];
  if (asked.join() !== asksNow.join()) {
    const was = asked.join(', ') || 'nothing of the kind';
    faults.push(
      fault(
        'asked_quantity',
        `The question must ask for the same. It asked for ${was}, and now for ${asksNow.join(', ') || 'nothing of the kind'}.`,
      ),
    );
  }
  return faults;
}

/** What must be copied: inline formulas, LaTeX commands, and the marks that tell how to answer. */
function formulasOf(text: string): readonly string[] {
  const formulas = [
    ...text.matchAll(/\$\$([^$]+)\$\$|\$([^$\n]*[\\^_=+][^$\n]*)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]/gs),
  ];
  const inner = formulas.map(([whole, ...parts]) =>
    (parts.find((part) => part !== undefined) ?? whole).replaceAll(/\s+/g, ''),
  );
  const marks = text.match(/\\boxed|####|<\/?[a-z]+>/gi) ?? [];
  return [...inner, ...new Set(marks)];
}

const OPTION_LABEL = /(?<=^|[\s,;:])\(?([A-J])[).:]\s*(?=\S)/g;

/**
 * The options of a multiple-choice problem with their letters, one below the other or in a line. The last one is taken
 * to its line's or its sentence's end: what tells how to answer may follow it.
 */
function optionsOf(text: string): readonly string[] {
  const labels: { readonly letter: string; readonly start: number; readonly end: number }[] = [];
  for (const match of text.matchAll(OPTION_LABEL)) {
    const [whole, letter = ''] = match;
    const next = String.fromCharCode('A'.charCodeAt(0) + labels.length);
    if (letter === next) labels.push({ letter, start: match.index, end: match.index + whole.length });
  }
  if (labels.length < 2) return [];
  return labels.map(({ letter, end }, place) => {
    const following = labels[place + 1];
    const option =
      following === undefined
        ? (/^.*?(?=\.\s|\n|$)/.exec(text.slice(end))?.[0] ?? '')
        : text.slice(end, following.start);
    return `${letter}) ${option.replaceAll(/\s+/g, ' ').replace(/[\s,;.]+$/, '')}`;
  });
}

function compareLists(
  code: RewriteFault['code'],
  name: string,
  before: readonly string[],
  after: readonly string[],
): readonly RewriteFault[] {
  return compare(code, name, without(before, after), without(after, before));
}

function compare(
  code: RewriteFault['code'],
  name: string,
  missing: readonly string[],
  added: readonly string[],
): readonly RewriteFault[] {
  if (missing.length === 0 && added.length === 0) return [];
  const parts = [
    ...(missing.length > 0 ? [`missing: ${list(missing)}`] : []),
    ...(added.length > 0 ? [`not in the original: ${list(added)}`] : []),
  ];
  return [fault(code, `Keep all ${name} as they are, each as often as it was; ${parts.join('; ')}.`)];
}

function list(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text));
  return shown.join(', ') + (texts.length > SHOWN ? `, and ${texts.length - SHOWN} more` : '');
}

function fault(code: RewriteFault['code'], message: string): RewriteFault {
  return { code, message };
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s.,;:!?]+/g, ' ')
    .trim();
}
