import type { Node } from '../math/node.ts';
import { parse } from '../math/parse.ts';
import { prepareAnswer } from '../math/prepare.ts';

const MAX_LENGTH = 2000;

/** Whether a candidate parses whole as something other than words; candidates that do not are passed over. */
export function isMathematical(candidate: string): boolean {
  const node = read(candidate);
  return node !== null && !isText(node);
}

/** Whether a candidate parses whole, be it as words. */
export function isReadable(candidate: string): boolean {
  return read(candidate) !== null;
}

/** Parsing alone, since evaluating every candidate of a long completion would cost a budget each. */
function read(candidate: string): Node | null {
  return candidate.length > MAX_LENGTH || candidate.trim() === '' ? null : parse(prepareAnswer(candidate));
}

function isText(node: Node): boolean {
  return node.kind === 'text' || (node.kind === 'sequence' && node.items.every(isText));
}
