import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const MODULE = new URL('../../../src/cli/close-on-signals.ts', import.meta.url).href;
/** (module (memory 1) (func (export "f") (param i32) (result i32) local.get 0 i32.load)) */
const LOADS = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 102, 0, 0,
  10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11,
];

async function answerOf(script: string): Promise<string> {
  const source = `import { closeOnSignals } from ${JSON.stringify(MODULE)};\ncloseOnSignals(500, async () => {});\n${script}`;
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  return stdout.trim();
}

describe('a process that closes on signals', { timeout: 60_000 }, () => {
  it('still has a read out of bounds of WebAssembly as an exception', async () => {
    const script = `
      const module = new WebAssembly.Module(new Uint8Array(${JSON.stringify(LOADS)}));
      try { new WebAssembly.Instance(module).exports.f(100000000); } catch (error) { console.log(error.message); }
      process.exit(0);`;
    expect(await answerOf(script)).toBe('memory access out of bounds');
  });

  it('listens for no signal of a fault, and for those that ask it to end', async () => {
    const script = `
      const names = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];
      console.log(names.filter((name) => process.listenerCount(name) > 0).join());
      process.exit(0);`;
    expect(await answerOf(script)).toBe('SIGTERM,SIGINT,SIGHUP');
  });
});
