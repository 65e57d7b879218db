/** Tags around what a tool or the environment wrote. */
const OUTPUTS =
  'information|interpreter|tool_response|tool_result|tool_results|tool_output|observation|function_results|function_response|function_result|execution_result|execution_results|execution_output|search_results|search_result|retrieved_documents';
/** Tags that are a tool's only right behind a call: a model may answer in them. */
const SHARED = 'output|outputs|result|results|documents|response';
/** Tags around what the model asks of a tool. */
const CALLS = 'tool_call|search|code|python|function_call|invoke|function_calls|execute';
const TAG = new RegExp(
  `<(/?)(?:(${OUTPUTS})|(${SHARED})|(${CALLS}))>|\`\`\`output[^\\n]{0,40}\\n|\`\`\`(?:\\n|$)`,
  'g',
);

const OPENING = new RegExp(`<(?:${OUTPUTS}|${SHARED})>`);
const OUTPUT_FENCE = '```output';

/**
 * The text without what tools wrote, and without the calls that they answered: the model's own words. An output that nothing
 * closes runs to the end.
 */
export function dropToolText(text: string): string {
  const opens = text.includes(OUTPUT_FENCE) || (text.includes('<') && OPENING.test(text));
  if (!opens) return text;
  let kept = '';
  let at = 0;
  let inside: string | null = null;
  let call = { from: -1, to: -1 };
  for (const tag of text.matchAll(TAG)) {
    const [whole, slash, output, shared, asked] = tag;
    const end = tag.index + whole.length;
    const name = output ?? shared ?? (whole.startsWith('```') ? 'fence' : '');
    if (inside !== null) {
      const closes = name === 'fence' ? !whole.startsWith(OUTPUT_FENCE) : slash === '/';
      if (name !== inside || !closes) continue;
      inside = null;
      at = end;
    } else if (asked !== undefined) {
      if (slash === '') call = { from: tag.index, to: -1 };
      else if (call.from >= at) call.to = end;
    } else if (slash !== '/' && (name !== 'fence' || whole.startsWith(OUTPUT_FENCE))) {
      const answers = call.to >= at && text.slice(call.to, tag.index).trim() === '';
      if (shared !== undefined && !answers) continue;
      kept += `${text.slice(at, answers ? call.from : tag.index)}\n`;
      inside = name;
    }
  }
  return inside === null ? kept + text.slice(at) : kept;
}
