import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Compiles the measured server as the package is compiled, and returns its program. Run from the sources it
 * would be measured with what the loader adds: a table of properties for each closure, 1 KB a held request.
 */
export function compileServer(): string {
  // Below node_modules, where its packages are found and git does not look.
  const output = join(root, 'node_modules', '.cache', 'peervote-bench');
  mkdirSync(output, { recursive: true });
  const project = join(output, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, outDir: output },
      include: [],
      files: [join(root, 'bench', 'load', 'measured-server.ts')],
    }),
  );
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [join(compiler, '..', 'bin', 'tsc'), '-p', project], { stdio: 'inherit' });
  copyFileSync(join(root, 'package.json'), join(output, 'package.json'));
  return join(output, 'bench', 'load', 'measured-server.js');
}
