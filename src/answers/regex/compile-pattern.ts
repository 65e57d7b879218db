import { parsePattern } from './parse-pattern.ts';
import { type Assertion, type Pattern, PatternError } from './pattern.ts';

/** One instruction of the matcher. `next` and `other` are indices; of two the first is preferred. */
export type Instruction =
  | { op: 'set'; negated: boolean; ranges: Array<readonly [number, number]>; next: number }
  | { op: 'split'; next: number; other: number }
  | { op: 'save'; slot: number; next: number }
  | { op: 'assert'; assertion: Assertion; next: number }
  | { op: 'match' };

export interface Program {
  instructions: Instruction[];
  /** Capturing groups, without the whole match. */
  groups: number;
}

const MAX_INSTRUCTIONS = 2000;

/** Compiles a pattern to a Thompson automaton; throws PatternError with a sentence for the person who wrote it. */
export function compilePattern(source: string): Program {
  const { pattern, groups } = parsePattern(source);
  const instructions: Instruction[] = [];
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= MAX_INSTRUCTIONS) throw new PatternError('the pattern is too large');
    return instructions.push(instruction) - 1;
  };
  emit({ op: 'save', slot: 0, next: 1 });
  add(pattern, instructions, emit);
  const end = instructions.length;
  emit({ op: 'save', slot: 1, next: end + 1 });
  emit({ op: 'match' });
  return { instructions, groups };
}

type Emit = (instruction: Instruction) => number;

/** Emits a pattern so that it falls through to the next instruction. */
function add(pattern: Pattern, program: Instruction[], emit: Emit): void {
  switch (pattern.kind) {
    case 'empty':
      return;
    case 'set':
      emit({ op: 'set', negated: pattern.negated, ranges: pattern.ranges, next: program.length + 1 });
      return;
    case 'assert':
      emit({ op: 'assert', assertion: pattern.assertion, next: program.length + 1 });
      return;
    case 'sequence':
      for (const item of pattern.items) add(item, program, emit);
      return;
    case 'group':
      emit({ op: 'save', slot: 2 * pattern.index, next: program.length + 1 });
      add(pattern.item, program, emit);
      emit({ op: 'save', slot: 2 * pattern.index + 1, next: program.length + 1 });
      return;
    case 'choice':
      addChoice(pattern.options, program, emit);
      return;
    case 'repeat':
      addRepeat(pattern, program, emit);
  }
}

function addChoice(options: Pattern[], program: Instruction[], emit: Emit): void {
  const exits: Array<Instruction & { op: 'split' }> = [];
  for (const [i, option] of options.entries()) {
    if (i === options.length - 1) {
      add(option, program, emit);
      break;
    }
    const split: Instruction & { op: 'split' } = { op: 'split', next: program.length + 1, other: 0 };
    emit(split);
    add(option, program, emit);
    const exit: Instruction & { op: 'split' } = { op: 'split', next: 0, other: 0 };
    emit(exit);
    exits.push(exit);
    split.other = program.length;
  }
  for (const exit of exits) {
    exit.next = program.length;
    exit.other = program.length;
  }
}

function addRepeat(pattern: Pattern & { kind: 'repeat' }, program: Instruction[], emit: Emit): void {
  for (let i = 0; i < pattern.min; i += 1) add(pattern.item, program, emit);
  if (pattern.max === Number.POSITIVE_INFINITY) {
    const start = program.length;
    const split: Instruction & { op: 'split' } = { op: 'split', next: 0, other: 0 };
    emit(split);
    add(pattern.item, program, emit);
    emit({ op: 'split', next: start, other: start });
    direct(split, start + 1, program.length, pattern.lazy);
    return;
  }
  const splits: Array<{ split: Instruction & { op: 'split' }; body: number }> = [];
  for (let i = pattern.min; i < pattern.max; i += 1) {
    const split: Instruction & { op: 'split' } = { op: 'split', next: 0, other: 0 };
    const at = emit(split);
    splits.push({ split, body: at + 1 });
    add(pattern.item, program, emit);
  }
  for (const { split, body } of splits) direct(split, body, program.length, pattern.lazy);
}

function direct(split: Instruction & { op: 'split' }, body: number, after: number, lazy: boolean): void {
  split.next = lazy ? after : body;
  split.other = lazy ? body : after;
}
