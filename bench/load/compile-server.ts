import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const output = mkdtempSync(join(cache, 'peervote-bench-'));
  process.once('exit', () => rmSync(output, { recursive: true, force: true }));
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
  // What the code reads beside itself, as the build of the package copies it.
  cpSync(join(root, 'src'), join(output, 'src'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !path.endsWith('.ts'),
  });
  copyFileSync(join(root, 'package.json'), join(output, 'package.json'));
  return join(output, 'bench', 'load', 'measured-server.js');
}
