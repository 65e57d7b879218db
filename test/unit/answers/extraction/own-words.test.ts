import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/answers/extract.ts';
import type { ExtractionMode } from '../../../../src/answers/modes.ts';

type Row = readonly [completion: string, mode: ExtractionMode, answer: string | null];

const ROWS: readonly Row[] = [
  [
    '\\boxed{60}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWrong, again.<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nOk \\boxed{63}<|eot_id|>',
    'boxed',
    '63',
  ],
  [
    '\\boxed{60}<｜end▁of▁sentence｜><｜User｜>Wrong<｜Assistant｜>\\boxed{63}<｜end▁of▁sentence｜>',
    'boxed',
    '63',
  ],
  ['\\boxed{60}<|end|><|user|>\nWrong<|end|><|assistant|>\n\\boxed{63}<|end|>', 'boxed', '63'],
  ['\\boxed{60}<|user|>\nWrong<|assistant|>\n\\boxed{63}', 'boxed', '63'],
  ['calling<|observation|>\n\\boxed{9}<|assistant|>\nIt is \\boxed{63}<|user|>', 'boxed', '63'],
  ['calling<|observation|>\n\\boxed{9}', 'boxed', null],
  ['\\boxed{58}<|im_end|><|endoftext|>\\boxed{3}', 'boxed', '58'],
  ['\\boxed{58}<eos>\\boxed{3}', 'boxed', '58'],
  ['\\boxed{58}</s>\\boxed{3}', 'boxed', '58'],
  ['\\boxed{58}<|im_end|>\\boxed{3}', 'boxed', '58'],
  ['\\boxed{58}<｜end▁of▁sentence｜>\\boxed{3}', 'boxed', '58'],
  ['The answer is 58.<|eot_id|> The answer is 12.', 'auto', '58'],
  ['The answer is B.<|endoftext|>The answer is C.', 'choice', 'B'],
  ['#### 58<|end|>#### 12', 'gsm8k', '58'],
  ['58<|return|>12', 'number', '58'],
  [
    '[TOOL_CALLS] [{"name": "calc"}]</s>[TOOL_RESULTS] {"content": "\\boxed{5}"}[/TOOL_RESULTS] So \\boxed{63}</s>',
    'boxed',
    '63',
  ],
  [
    '[TOOL_CALLS] [{"name": "calc"}]</s>[TOOL_RESULTS] {"content": "\\boxed{5}"}[/TOOL_RESULTS] Not sure</s>',
    'boxed',
    null,
  ],
  ['<|endoftext|><|endoftext|>The answer is 5.', 'auto', '5'],
  ['<s> \\boxed{5}</s>', 'boxed', '5'],
  [
    '<think>x</think>call<|im_end|>\n<|im_start|>user\n<tool_response>5</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\nhmm \\boxed{4}</think>\\boxed{63}<|im_end|>',
    'boxed',
    '63',
  ],
  [
    'call<|im_end|>\n<|im_start|>user\n<tool_response>5</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\nhmm \\boxed{4}',
    'boxed',
    null,
  ],
  ['\\boxed{3}user\n\nWrong, try again.assistant\n\nOk \\boxed{4}', 'boxed', '4'],
  ['\\boxed{3}\nuser\nWrong, try again.\nmodel\nOk \\boxed{4}', 'boxed', '4'],
  ['Roles:\nadmin\nuser\nguest\n\nSo \\boxed{3}', 'boxed', '3'],
  [
    '<search>a</search><information>The answer is 7.</information><think>ok</think><answer>8</answer>',
    'auto',
    '8',
  ],
  ['<search>a</search><result>\\boxed{7}</result>no idea', 'boxed', null],
  ['<result>\\boxed{7}</result>', 'boxed', '7'],
  ['<output>\\boxed{7}</output>', 'boxed', '7'],
  ['```python\nprint(1)\n```\n```output\n\\boxed{1}\n```\nhmm', 'boxed', null],
  ['<python>print(1)</python><output>12</output> I stop', 'number', null],
  ['<observation>12</observation>', 'number', null],
  ['\\boxed{58}\n\n### Instruction:\nAdd 3\n### Response:\n\\boxed{12}', 'boxed', '58'],
  ['\\boxed{58}\n\n### Instruction\nAdd 3\n### Response\n\\boxed{12}', 'boxed', '58'],
  ['\\boxed{58}\n\nProblem: Add 3\nSolution: \\boxed{12}', 'boxed', '58'],
  ['\\boxed{58}\n\nQuestion 2: Add 3\nSolution: \\boxed{12}', 'boxed', '58'],
  ['\\boxed{58}\n\n**Question:** Add 3\nSolution: \\boxed{12}', 'boxed', '58'],
  ['\\boxed{58}\n\n问题：3*4?\n答案：\\boxed{12}', 'boxed', '58'],
  ['Question: 3*4?\nAnswer: \\boxed{12}', 'boxed', '12'],
  ['Let me restate it.\n\nQuestion: 3*4?\nAnswer: \\boxed{12}', 'boxed', '12'],
  [
    'Let me restate it.\n\nQuestion: 3*4?\nAnswer: \\boxed{12}\n\nQuestion: 5*5?\nAnswer: \\boxed{25}',
    'boxed',
    '12',
  ],
  ['#### 58Human: more?\n#### 12', 'gsm8k', '58'],
  ['The answer is B.Human: The answer is C', 'choice', 'B'],
  ['58\n\nUser: 3*4?\n\nAssistant: 12', 'number', '58'],
  ['\\boxed{58} [/INST] \\boxed{12}', 'boxed', '58'],
  ['[INST] 3*4? [/INST] \\boxed{12}', 'boxed', '12'],
  ['\\boxed 7', 'boxed', '7'],
  ['\\boxed7', 'boxed', '7'],
  ['so \\boxed 72.', 'boxed', '72'],
  ['so \\boxed 72 or more', 'boxed', null],
  ['\\fbox 7', 'boxed', '7'],
  ['$\\boxed72$', 'auto', '72'],
  ['\\boxed{5}, not \\boxed{7}', 'boxed', '5'],
  ['The answer is not \\boxed{7}', 'auto', null],
  ['it cannot be $\\boxed{7}$', 'boxed', null],
  ['\\boxed{\\boxed{}}', 'boxed', null],
  ['\\boxed{5} as asked in \\boxed{}', 'boxed', '5'],
  ['The answer is 5. Check: \\boxed{', 'auto', null],
  ['\\boxed{ } The final answer is 7.', 'auto', '7'],
  ['so <s>\\boxed{3}</s> is \\boxed{5}', 'boxed', '5'],
];

describe('the words of the model in its last turn', () => {
  for (const [completion, mode, answer] of ROWS) {
    it(`give ${JSON.stringify(answer)} from ${JSON.stringify(completion)} in mode ${mode}`, () => {
      expect(extract(completion, { mode })).toBe(answer);
    });
  }
});
