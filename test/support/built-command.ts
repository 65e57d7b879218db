import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** The command as it is published, compiled into a folder of its own: processes start faster and run what users run. */
export class BuiltCommand {
  readonly #folder = mkdtempSync(join(tmpdir(), 'peervote-build-'));

  constructor() {
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const output = join(this.#folder, 'dist');
    const flags = ['-p', join(project, 'tsconfig.json'), '--outDir', output];
    execFileSync(process.execPath, [join(compiler, 'bin/tsc'), ...flags], { stdio: 'inherit' });
    cpSync(join(project, 'src'), output, {
      recursive: true,
      filter: (path) => statSync(path).isDirectory() || !path.endsWith('.ts'),
    });
    cpSync(join(project, 'package.json'), join(this.#folder, 'package.json'));
    symlinkSync(join(project, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  get path(): string {
    return join(this.#folder, 'dist/cli/main.js');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
