/** Words after which the reference looks for an answer when there is no box, in its order. */
const CUES = ['he answer is', 'final answer is', '答案是'];
const NUMBER = /-?\d*\.?\d+/g;

/**
 * The raw answer that the Co-RL reference takes from a completion: what follows the last `boxed`, else the text after a cue,
 * else the last number of the text. Null where there is none.
 */
export function extractQwen(completion: string): string | null {
  const boxed = completion.lastIndexOf('boxed');
  const raw =
    boxed >= 0
      ? readBox(completion.slice(boxed + 'boxed'.length))
      : (readCue(completion) ?? readNumber(completion));
  if (raw === null) return null;
  const line = raw.split('\n', 1)[0] ?? '';
  const answer = line.replace(/^:/, '').replace(/[./]$/, '').trim();
  return answer === '' ? null : answer;
}

/** The balanced group, or without a brace the text up to a dollar sign. */
function readBox(rest: string): string {
  if (!rest.startsWith('{')) return (rest.split('$', 1)[0] ?? '').trim();
  let depth = 0;
  for (let i = 0; i < rest.length; i += 1) {
    const char = rest.charAt(i);
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth === 0) return rest.slice(1, i);
  }
  return rest.slice(1);
}

/** After a cue the reference, too, takes the last number, where the statement is not short. */
function readCue(text: string): string | null {
  for (const cue of CUES) {
    const at = text.lastIndexOf(cue);
    if (at < 0) continue;
    const rest = text.slice(at + cue.length).trim();
    return rest === '' ? null : rest;
  }
  return null;
}

function readNumber(text: string): string | null {
  let last: string | null = null;
  for (const match of text.replaceAll(',', '').matchAll(NUMBER)) last = match[0];
  return last;
}
