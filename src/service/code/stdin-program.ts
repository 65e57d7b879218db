import type { ProgramSource } from '../../answers/code/program.ts';
import { quotePython } from '../../domain/python-text.ts';
import type { StdinCase } from '../submission.ts';

/** The function that a program which reads and prints is made into. */
export const STDIN_ENTRY = 'run_program';

/** What a line ends with, and empty lines at the end, are no part of what was printed. */
const WRAPPER = `
def ${STDIN_ENTRY}(text):
    import io
    import sys
    saved = sys.stdin, sys.stdout
    printed = io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode('utf-8', 'surrogatepass')), encoding='utf-8')
    # Named, since a stream that nobody holds closes what it writes to.
    out = sys.stdout = io.TextIOWrapper(printed, encoding='utf-8', write_through=True)
    try:
        exec(compile(SOURCE, 'program', 'exec'), {'__name__': '__main__'})
    except SystemExit:
        pass
    finally:
        sys.stdin, sys.stdout = saved
    out.flush()
    lines = printed.getvalue().decode('utf-8', 'replace').splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    return '\\n'.join(line.rstrip() for line in lines)
`;

/** A program that reads stdin and prints, as one with a function from the one text to the other. */
export function wrapProgram({ code }: Pick<ProgramSource, 'code'>): ProgramSource {
  return { code: `SOURCE = ${quotePython(code)}\n${WRAPPER}`, blocks: null };
}

/** Equal lines, or lines of equal words, numbers being equal by value. */
const SAME = `
def same_word(one, other):
    from decimal import Decimal, InvalidOperation
    if one == other:
        return True
    try:
        return Decimal(one) == Decimal(other)
    except InvalidOperation:
        return False

def same_text(printed, wanted):
    ours, theirs = printed.split('\\n'), [line.rstrip() for line in wanted.rstrip().split('\\n')]
    if len(ours) != len(theirs):
        return False
    for one, other in zip(ours, theirs):
        a, b = one.split(), other.split()
        if len(a) != len(b) or not all(same_word(x, y) for x, y in zip(a, b)):
            return False
    return True
`;

/** A test of what a wrapped program prints; null where nothing is known of it. */
export function testOf(cases: readonly StdinCase[]): string | null {
  const asserts = cases.flatMap(({ input, output }) =>
    output === null ? [] : [`    assert same_text(candidate(${quotePython(input)}), ${quotePython(output)})`],
  );
  return asserts.length === 0 ? null : `${SAME}\ndef check(candidate):\n${asserts.join('\n')}\n`;
}
