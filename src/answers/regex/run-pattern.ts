import { inRanges, WORDS } from './character-ranges.ts';
import type { Instruction, Program } from './compile-pattern.ts';
import type { Assertion } from './pattern.ts';

/** Steps that one text may cost; beyond them there is no match. */
const MAX_STEPS = 1_500_000;

interface Thread {
  at: number;
  slots: Array<number | undefined>;
}

export interface PatternMatch {
  /** Start and end of the whole match, then of each group; undefined where a group took no part. */
  slots: Array<number | undefined>;
}

/** The last of the matches that follow each other in a text, as `matchAll` would give them; or null. */
export function findLastMatch(program: Program, text: string): PatternMatch | null {
  const machine: Machine = {
    program,
    text,
    left: MAX_STEPS,
    marks: new Uint32Array(program.instructions.length),
    stamp: 0,
    starts: firstCharacters(program),
  };
  let found: PatternMatch | null = null;
  for (let from = 0; from <= text.length; ) {
    const match = run(machine, from);
    if (match === null) break;
    found = match;
    const end = match.slots[1] ?? from;
    from = end > (match.slots[0] ?? from) ? end : end + 1;
  }
  return machine.left > 0 ? found : null;
}

interface Machine {
  readonly program: Program;
  readonly text: string;
  left: number;
  /** Which instructions were reached at this character, by the stamp of the character. */
  readonly marks: Uint32Array;
  stamp: number;
  readonly starts: ((code: number) => boolean) | null;
}

/**
 * Pike's algorithm: all alternatives advance together, one character at a time, in order of preference, so that a
 * text costs at most its length times the size of the program.
 */
function run(machine: Machine, from: number): PatternMatch | null {
  const { text } = machine;
  const { instructions } = machine.program;
  let current: Thread[] = [];
  let best: Thread | null = null;
  for (let at = from; at <= text.length; at += 1) {
    if (current.length === 0 && best === null && machine.starts !== null) {
      while (at < text.length && !machine.starts(text.charCodeAt(at))) at += 1;
    }
    machine.stamp += 1;
    const ready: Thread[] = [];
    for (const thread of current) follow(machine, thread, at, ready);
    if (best === null) follow(machine, { at: 0, slots: [] }, at, ready);
    machine.left -= ready.length + 1;
    if (machine.left <= 0) return null;
    const next: Thread[] = [];
    const code = text.charCodeAt(at);
    for (const thread of ready) {
      const instruction = instructions[thread.at];
      if (instruction?.op === 'match') {
        best = thread;
        break;
      }
      if (
        instruction?.op === 'set' &&
        at < text.length &&
        inRanges(code, instruction.ranges) !== instruction.negated
      ) {
        thread.at = instruction.next;
        next.push(thread);
      }
    }
    if (next.length === 0 && best !== null) break;
    current = next;
  }
  return best === null ? null : { slots: best.slots };
}

/** Adds the threads that a thread reaches without a character, in order of preference. */
function follow(machine: Machine, start: Thread, at: number, ready: Thread[]): void {
  const { instructions } = machine.program;
  const stack: Thread[] = [start];
  for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
    if (machine.marks[thread.at] === machine.stamp) continue;
    machine.marks[thread.at] = machine.stamp;
    const instruction = instructions[thread.at];
    if (instruction === undefined) continue;
    switch (instruction.op) {
      case 'split':
        stack.push(
          { at: instruction.other, slots: thread.slots },
          { at: instruction.next, slots: thread.slots },
        );
        break;
      case 'save': {
        const slots = thread.slots.slice();
        slots[instruction.slot] = at;
        stack.push({ at: instruction.next, slots });
        break;
      }
      case 'assert':
        if (holds(instruction.assertion, machine.text, at))
          stack.push({ at: instruction.next, slots: thread.slots });
        break;
      default:
        ready.push(thread);
    }
  }
}

/** A test for the characters that a match can start with; null where it can be empty or starts with an assertion. */
function firstCharacters(program: Program): ((code: number) => boolean) | null {
  const sets: Array<Instruction & { op: 'set' }> = [];
  const seen = new Set<number>();
  const stack = [0];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const instruction = program.instructions[at];
    if (instruction === undefined || seen.has(at)) continue;
    seen.add(at);
    if (instruction.op === 'match' || instruction.op === 'assert') return null;
    if (instruction.op === 'set') sets.push(instruction);
    else if (instruction.op === 'split') stack.push(instruction.next, instruction.other);
    else stack.push(instruction.next);
  }
  return (code) => sets.some((set) => inRanges(code, set.ranges) !== set.negated);
}

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'start':
      return at === 0;
    case 'end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text.charCodeAt(at - 1) === 10;
    case 'line-end':
      return at === text.length || text.charCodeAt(at) === 10;
    default: {
      const edge = inRanges(text.charCodeAt(at - 1), WORDS) !== inRanges(text.charCodeAt(at), WORDS);
      return edge === (assertion === 'boundary');
    }
  }
}
