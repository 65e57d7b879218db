import { detach } from '../answers/detach.ts';
import type { Sample } from '../domain/sample.ts';
import type { GroupInput, RolloutInput } from './submission.ts';

const HEAD = 1_200;
const TAIL = 2_800;
/** Characters that are kept of a problem: its beginning, or the end of the prompt that it stands in. */
const PROBLEM = 2_000;
/** Places that are looked at for an answer that stands for itself. */
const MOST_TRIES = 50;

type Place = Pick<Sample, 'promptId' | 'round' | 'agent' | 'rolloutId' | 'incarnation' | 'answer' | 'key'>;

/** What is kept of a completion, at most 4,000 characters of it. Null: the trainer sent no text. Keeps no part of the request. */
export function makeSample(place: Place, { content, truncated }: RolloutInput): Sample | null {
  if (content.kind === 'given') return null;
  const { text: whole } = content;
  const isCut = whole.length > HEAD + TAIL;
  const text = detach(
    isCut ? whole.slice(0, HEAD).toWellFormed() + whole.slice(-TAIL).toWellFormed() : whole,
  );
  const cut = isCut ? { at: HEAD, characters: whole.length - HEAD - TAIL } : null;
  if (content.kind === 'unreadable') {
    return { ...place, text, cut, span: null, note: 'The completion could not be told from its prompt.' };
  }
  if (place.answer === null) {
    const note = truncated
      ? 'No answer was found before the length limit cut the completion.'
      : 'No answer was found: it abstains.';
    return { ...place, text, cut, span: null, note };
  }
  const span = findAnswer(text, place.answer, cut?.at ?? 0);
  const note = span === null ? 'The answer does not stand in what is kept of the text as it was read.' : null;
  return { ...place, text, cut, span, note };
}

/** The text of a group's problem, at most 2,000 characters of it; undefined where none was sent. */
export function problemOf({ problem, prompt }: Pick<GroupInput, 'problem' | 'prompt'>): string | undefined {
  if (problem) return detach(problem.slice(0, PROBLEM).toWellFormed());
  const text = prompt?.trim();
  return text ? detach(text.slice(-PROBLEM).toWellFormed()) : undefined;
}

/** The last place where the answer stands: in braces if it does, else as a word of its own, else anywhere. */
function findAnswer(text: string, answer: string, seam: number): Sample['span'] {
  const spanAt = (start: number) => {
    const end = start + answer.length;
    return start < 0 || (start < seam && end > seam) ? null : { start, end };
  };
  const braced = text.lastIndexOf(`{${answer}}`);
  if (braced >= 0) return spanAt(braced + 1);
  const last = text.lastIndexOf(answer);
  let at = last;
  for (let tries = 0; at >= 0 && tries < MOST_TRIES; tries++) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + answer.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return spanAt(at);
    at = at === 0 ? -1 : text.lastIndexOf(answer, at - 1);
  }
  return spanAt(last);
}
