import { describe, expect, it } from 'vitest';
import { checkLayers } from './layers.ts';
import { readSources } from './source-file.ts';

describe('the arrows between the folders of src', () => {
  const sources = readSources('src/');

  it('are kept by every source file', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap(checkLayers)).toEqual([]);
  });

  it.each([
    [
      'domain/a.ts',
      "import { grade } from '../answers/grade.ts';",
      'domain must not import src/answers/grade.ts',
    ],
    [
      'domain/a.ts',
      "import type { Store } from '../store/store.ts';",
      'domain must not import src/store/store.ts',
    ],
    ['domain/a.ts', "import { hash } from 'node:crypto';", 'domain must not import node:crypto'],
    ['domain/a.ts', 'export const now = () => Date.now();', 'Date.now is not pure'],
    ['domain/a.ts', 'export const now = () => new Date();', 'new Date() is not pure'],
    ['methods/a.ts', 'export const toss = () => Math.random();', 'Math.random is not pure'],
    ['answers/a.ts', 'setTimeout(() => {}, 1);', 'setTimeout is not pure'],
    ['answers/a.ts', "console.log('x');", 'console.log is not pure'],
    [
      'answers/a.ts',
      "import { vote } from '../domain/vote.ts';",
      'answers must not import src/domain/vote.ts',
    ],
    ['methods/a.ts', "import { x } from '../service/x.ts';", 'methods must not import src/service/x.ts'],
    ['theory/a.ts', "import { x } from '../answers/x.ts';", 'theory must not import src/answers/x.ts'],
    ['store/memory/a.ts', "import { x } from '../../http/x.ts';", 'store must not import src/http/x.ts'],
    ['store/a.ts', "export { x } from '../methods/x.ts';", 'store must not import src/methods/x.ts'],
    [
      'service/a.ts',
      "import { M } from '../store/memory/m.ts';",
      'service must not import src/store/memory/m.ts',
    ],
    ['service/a.ts', "export * from '../protocol/x.ts';", 'service must not import src/protocol/x.ts'],
    ['external/a.ts', "import { x } from '../methods/x.ts';", 'external must not import src/methods/x.ts'],
    [
      'protocol/a.ts',
      "import { x } from '../service/x.ts';",
      'protocol may import only types from src/service/x.ts',
    ],
    [
      'protocol/a.ts',
      "import { type X } from '../service/x.ts';",
      'may import only types from src/service/x.ts',
    ],
    ['protocol/a.ts', "import type { X } from '../http/x.ts';", 'protocol must not import src/http/x.ts'],
    ['http/a.ts', "import { x } from '../store/store.ts';", 'http must not import src/store/store.ts'],
    [
      'http/a.ts',
      "import { x } from '../observability/x.ts';",
      'may import only types from src/observability/x.ts',
    ],
    [
      'http/a.ts',
      "const x = await import('../cli/x.ts'); export { x };",
      'http must not import src/cli/x.ts',
    ],
    [
      'observability/a.ts',
      "import { x } from '../service/x.ts';",
      'may import only types from src/service/x.ts',
    ],
    [
      'config/a.ts',
      "import { x } from '../answers/extract.ts';",
      'config must not import src/answers/extract.ts',
    ],
    ['domain/a.ts', "export type A = import('../config/x.ts').X;", 'domain must not import src/config/x.ts'],
    ['utils/a.ts', 'export const a = 1;', 'lies in no layer of the design'],
    ['a.ts', 'export const a = 1;', 'lies in no layer of the design'],
  ])('are missed where src/%s holds `%s`', (path, text, breach) => {
    expect(checkLayers({ path: `src/${path}`, text })).toEqual([expect.stringContaining(breach)]);
  });

  it.each([
    ['http/a.ts', 'zod'],
    ['service/a.ts', 'zod'],
    ['service/a.ts', 'tinyqueue'],
    ['protocol/a.ts', 'fastify'],
    ['cli/a.ts', '@fastify/swagger'],
    ['http/a.ts', 'prom-client'],
    ['config/a.ts', 'commander'],
    ['store/memory/a.ts', 'ioredis'],
    ['domain/a.ts', 'tinyqueue'],
    ['cli/a.ts', 'left-pad'],
  ])('are missed where src/%s imports the package %s', (path, name) => {
    const text = `import { x } from '${name}/sub.js';`;
    expect(checkLayers({ path: `src/${path}`, text })).toEqual([
      expect.stringContaining(`must not import the package ${name}`),
    ]);
  });

  it.each([
    ["const port = process.env['PORT']; export { port };", 'process.env belongs to cli'],
    ['process.exit(1);', 'process.exit belongs to cli'],
    ["const port = process['env']; export { port };", 'process.[…] belongs to cli'],
    ['const { env } = process; export { env };', 'another name for process belongs to cli'],
    ['export const env = globalThis.process;', 'globalThis.process belongs to cli'],
    ["import { env } from 'node:process';", 'http must not import node:process'],
    ['export const load = (name: string) => import(name);', 'imports a computed name'],
  ])('are missed where src/http holds `%s`', (text, breach) => {
    expect(checkLayers({ path: 'src/http/a.ts', text })).toEqual([`src/http/a.ts:1 ${breach}`]);
  });

  it.each([
    ['methods/a.ts', "import { countVotes } from '../domain/vote.ts';"],
    ['protocol/a.ts', "import type { X } from '../service/x.ts'; import { z } from 'zod';"],
    ['service/a.ts', "import type { Store } from '../store/store.ts'; import { hash } from 'node:crypto';"],
    ['config/a.ts', "import { EXTRACTION_MODES } from '../answers/modes.ts';"],
    ['store/redis/a.ts', "import { Redis } from 'ioredis'; import type { Store } from '../store.ts';"],
    ['cli/a.ts', "import { x } from '../store/memory/x.ts'; process.exit(Number(process.env.CODE));"],
    ['domain/a.ts', "// import { x } from '../http/x.ts';\nexport const text = 'process.env';"],
  ])('are kept where src/%s holds `%s`', (path, text) => {
    expect(checkLayers({ path: `src/${path}`, text })).toEqual([]);
  });

  it('are not taken as kept by a file that cannot be read', () => {
    expect(() => checkLayers({ path: 'src/domain/a.ts', text: 'import {' })).toThrow(
      'src/domain/a.ts cannot be read',
    );
  });
});
