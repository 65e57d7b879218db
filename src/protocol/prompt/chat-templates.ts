/** How one family of chat templates marks a user's message. */
interface ChatTemplate {
  /** A prompt of this family starts with one of these, once the beginning-of-text token is gone. */
  readonly starts: readonly string[];
  readonly user: string;
  /** The first of these ends the message. */
  readonly ends: readonly string[];
}

const TEMPLATES: readonly ChatTemplate[] = [
  // Qwen and other ChatML; Phi-4 closes the role with <|im_sep|>.
  { starts: ['<|im_start|>'], user: '<|im_start|>user', ends: ['<|im_end|>', '<|im_start|>'] },
  {
    // Llama 3
    starts: ['<|start_header_id|>'],
    user: '<|start_header_id|>user<|end_header_id|>',
    ends: ['<|eot_id|>', '<|start_header_id|>'],
  },
  {
    // Llama 4
    starts: ['<|header_start|>'],
    user: '<|header_start|>user<|header_end|>',
    ends: ['<|eot|>', '<|header_start|>'],
  },
  // Llama 2, Mistral
  { starts: ['[INST]', '[SYSTEM_PROMPT]'], user: '[INST]', ends: ['[/INST]'] },
  // Gemma
  {
    starts: ['<start_of_turn>'],
    user: '<start_of_turn>user',
    ends: ['<end_of_turn>', '<start_of_turn>'],
  },
  {
    // Phi-3 and Phi-4-mini, and their like: Zephyr, Tulu, GLM
    starts: ['<|user|>', '<|system|>'],
    user: '<|user|>',
    ends: ['<|end|>', '<|assistant|>', '<|endoftext|>', '</s>'],
  },
  {
    // DeepSeek, also its Qwen and Llama distillates; the system prompt stands bare before the first turn.
    starts: ['<｜begin▁of▁sentence｜>', '<｜User｜>'],
    user: '<｜User｜>',
    ends: ['<｜Assistant｜>', '<｜end▁of▁sentence｜>'],
  },
  {
    // gpt-oss
    starts: ['<|start|>'],
    user: '<|start|>user<|message|>',
    ends: ['<|end|>', '<|start|>'],
  },
];

const BEGIN_TOKENS = ['<s>', '<bos>', '<|begin_of_text|>', '<|endoftext|>', '[gMASK]', '<sop>'];

/**
 * The last user message of a prompt, as its template wrapped it; `null` when the prompt follows no known
 * template or has no user message. Linear time.
 *
 * The family is told by how the prompt starts, so a problem that only talks about `[INST]` stays whole.
 */
export function findUserMessage(prompt: string): string | null {
  const text = skipBeginTokens(prompt);
  const template = TEMPLATES.find(({ starts }) => starts.some((start) => text.startsWith(start)));
  if (template === undefined) return null;
  const opened = text.lastIndexOf(template.user);
  if (opened < 0) return null;
  const rest = text.slice(opened + template.user.length);
  const ends = template.ends.map((end) => rest.indexOf(end)).filter((end) => end >= 0);
  return cutHead(rest.slice(0, Math.min(rest.length, ...ends)));
}

function skipBeginTokens(prompt: string): string {
  let text = prompt.trimStart();
  for (;;) {
    const token = BEGIN_TOKENS.find((begin) => text.startsWith(begin));
    if (token === undefined) return text;
    text = text.slice(token.length).trimStart();
  }
}

/** Removes what templates put inside the user's turn: Phi-4's separator, Llama 2's system prompt. */
function cutHead(message: string): string {
  const text = message.trimStart();
  if (text.startsWith('<|im_sep|>')) return text.slice('<|im_sep|>'.length);
  const close = text.startsWith('<<SYS>>') ? text.indexOf('<</SYS>>') : -1;
  return close < 0 ? text : text.slice(close + '<</SYS>>'.length);
}
