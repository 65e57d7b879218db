import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { asciiJson, readModules, readPython } from './sources.ts';

/** What the interpreters of one thread are made of; the same for all of them. */
interface Parts {
  readonly wasm: Uint8Array;
  readonly stdlib: Uint8Array;
  readonly glue: Script;
  readonly bareContext: Script;
  readonly auditHook: Script;
  readonly boot: string;
}

/** The memory of an interpreter that has started, which others take over: that spares them most of the second. */
export interface Image {
  /** Backed by shared memory, so that every thread of the process reads the same. */
  readonly bytes: Uint8Array;
  /** Where in it the request's line of Python lies. */
  readonly entry: number;
}

export interface InterpreterOptions {
  readonly image: Image | null;
  readonly memoryBytes: number;
  /** Longest message that it may send out. */
  readonly messageBytes: number;
  /** Takes each output of a voting run as it comes, as JSON. */
  readonly onLine: (line: string) => void;
  /** Of the one with the tests: asks the program, in the other interpreter; `+` and its reply, or nothing when it has ended. */
  readonly onProgram: (request: string) => string;
}

/** How a request ended: with a reply, too long a message, without a word, or with the interpreter itself. */
export type Answer =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'overflow' | 'silent' | 'ended' };

interface InnerInterpreter {
  saveImage(bytes: Uint8Array): number;
  request(text: string): string;
  restore(): void;
  isIntact(): boolean;
  heapBytes(): number;
}

interface BareContext {
  start(options: object): Promise<InnerInterpreter>;
  seal(): void;
}

const here = new URL('.', import.meta.url);
let parts: Parts | null = null;

/**
 * One CPython in a context of its own, which holds nothing of Node. After every request its whole memory is put back to
 * what it was at the start, so that no request sees another.
 */
export class Interpreter {
  readonly #inner: InnerInterpreter;
  /** What the next one can start from. */
  readonly image: Image;
  #spent = false;

  private constructor(inner: InnerInterpreter, image: Image) {
    this.#inner = inner;
    this.image = image;
  }

  /** Takes about a second without an image. Throws when the package `pyodide` is missing or damaged. */
  static async start({ image, ...limits }: InterpreterOptions): Promise<Interpreter> {
    parts ??= readParts();
    const context = createContext(Object.create(null), {
      codeGeneration: { strings: false, wasm: true },
      name: 'python',
    });
    const bare = parts.bareContext.runInContext(context) as BareContext;
    parts.glue.runInContext(context);
    const auditHook = parts.auditHook.runInContext(context);
    const { wasm, stdlib, boot } = parts;
    const sources = asciiJson(readModules());
    const inner = await bare.start({ wasm, stdlib, boot, sources, image, auditHook, ...limits });
    bare.seal();
    if (image !== null) return new Interpreter(inner, image);
    const bytes = new Uint8Array(new SharedArrayBuffer(inner.heapBytes()));
    return new Interpreter(inner, { bytes, entry: inner.saveImage(bytes) });
  }

  /** Answers one request; call `restore` before the next one that is not of the same program. */
  request(request: object): Answer {
    const answer = this.#inner.request(asciiJson(request));
    if (answer.startsWith('+')) return { kind: 'reply', text: answer.slice(1) };
    if (answer === 'ended' || answer === 'silent') this.#spent = true;
    return { kind: answer === 'overflow' || answer === 'silent' ? answer : 'ended' };
  }

  /** False when it ended, differs in more than its memory, or was asked for what no honest program asks for. */
  get isSound(): boolean {
    return !this.#spent && this.#inner.isIntact();
  }

  /** Makes it as new. */
  restore(): void {
    this.#inner.restore();
  }

  get heapBytes(): number {
    return this.#inner.heapBytes();
  }
}

function readParts(): Parts {
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const glue = readFileSync(join(pyodide, 'pyodide.asm.js'), 'utf8');
  return {
    wasm: readFileSync(join(pyodide, 'pyodide.asm.wasm')),
    stdlib: readFileSync(join(pyodide, 'python_stdlib.zip')),
    glue: new Script(glue, { filename: 'pyodide.asm.js' }),
    bareContext: ownScript('bare-context.js'),
    auditHook: ownScript('audit-hook.js'),
    boot: readPython('boot'),
  };
}

function ownScript(filename: string): Script {
  return new Script(readFileSync(new URL(filename, here), 'utf8'), { filename });
}
