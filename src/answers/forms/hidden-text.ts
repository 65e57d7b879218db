/** What is hidden, struck out, switched off or stacked says something else than what a reader of the formula sees. */
const HIDING = /\\(?:[hv]?phantom|[bx]?cancel(?:to)?|sout|iffalse|overset|underset|stackrel)(?![A-Za-z])/;
/** Behind a per cent sign a formula goes on as a comment. */
const COMMENT = /%\s*(?:[-+]?\s?\d|[A-Za-z]\s?=|\\[dt]?frac)/;

/** Whether an answer holds what its reader does not see; such an answer equals its own spelling only. */
export function hidesText(answer: string): boolean {
  return (answer.includes('\\') && HIDING.test(answer)) || (answer.includes('%') && COMMENT.test(answer));
}
