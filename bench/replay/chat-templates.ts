/** How a model family writes a user's message and the start of the answer, and what ends the answer. */
export interface ChatTemplate {
  readonly family: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Written after the public chat templates of the families, not shared with the server's own list. */
const TEMPLATES: readonly ChatTemplate[] = [
  {
    family: 'Mistral',
    before: '<s>[INST] ',
    after: ' [/INST]',
    end: '</s>',
  },
  {
    family: 'Qwen',
    before: '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n',
    after: '<|im_end|>\n<|im_start|>assistant\n',
    end: '<|im_end|>\n<|endoftext|>',
  },
  {
    family: 'Llama 3',
    before:
      '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
    after: '<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    end: '<|eot_id|>',
  },
  {
    family: 'Gemma',
    before: '<bos><start_of_turn>user\n',
    after: '<end_of_turn>\n<start_of_turn>model\n',
    end: '<end_of_turn>',
  },
  {
    family: 'Phi',
    before: '<|user|>\n',
    after: '<|end|>\n<|assistant|>\n',
    end: '<|end|>',
  },
];

/** The template of the agent at this place of the ring: neighbours never share one. */
export function templateOf(position: number): ChatTemplate {
  const template = TEMPLATES[position % TEMPLATES.length];
  if (template === undefined) throw new RangeError(`There is no template for place ${position}.`);
  return template;
}
