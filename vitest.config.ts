import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [fileURLToPath(new URL('test/support/property-seed.ts', import.meta.url))],
    pool: 'threads',
    // Many tests wait for processes of theirs; by default a machine with two cores would run one file at a time.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ['default', new ClosingLine()],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: {
        lines: 90,
        functions: 90,
        branches: 90,
        statements: 90,
        'src/domain/**': { branches: 100 },
      },
    },
  },
});
