import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');
const output = join(root, 'dist');
const commandFile = join(output, 'cli', 'main.js');

/** Compiles src to dist, with what the code reads beside itself (Lua, pages, YAML), and makes the command runnable. */
function build(): void {
  rmSync(output, { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [join(compiler, '..', 'bin', 'tsc'), '-p', join(root, 'tsconfig.json')], {
    stdio: 'inherit',
  });
  cpSync(source, output, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !path.endsWith('.ts'),
  });
  // What the live page needs of packages is part of ours, so that an install of it brings no more than it runs.
  const uplot = join(createRequire(import.meta.url).resolve('uplot/package.json'), '..');
  for (const [from, to] of [
    ['dist/uPlot.esm.js', 'uplot.js'],
    ['dist/uPlot.min.css', 'uplot.css'],
    ['LICENSE', 'uplot-license.txt'],
  ] as const) {
    cpSync(join(uplot, from), join(output, 'http/live/vendor', to));
  }
  // An npm install sets this bit for the bin entry, a checkout or a container that copies dist does not.
  if (existsSync(commandFile)) chmodSync(commandFile, 0o755);
}

build();
