import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../architecture/source-file.ts';

/**
 * There is no container engine where the tests run, so the stages of the Dockerfile are repeated step by step in
 * folders: what it copies is copied, what it runs is run.
 */
class Stages {
  readonly root = mkdtempSync(join(tmpdir(), 'peervote-image-'));
  last = '';

  build(): void {
    const text = readFileSync(join(PROJECT, 'docker/Dockerfile'), 'utf8');
    let count = 0;
    for (const instruction of DockerfileParser.parse(text).getInstructions()) {
      if (instruction.getKeyword() === 'FROM') {
        const [, as, name] = instruction.getArguments().map((argument) => argument.getValue());
        this.last = as?.toUpperCase() === 'AS' && name !== undefined ? name : `stage-${count}`;
        count++;
        mkdirSync(this.folder(this.last), { recursive: true });
      }
      if (instruction.getKeyword() === 'COPY') this.#copy(instruction as Copy);
      if (instruction.getKeyword() === 'RUN') this.#run(instruction);
    }
  }

  /** The working directory of a stage, /app in the image. */
  folder(stage: string): string {
    return join(this.root, stage);
  }

  #copy(copy: Copy): void {
    const from = copy
      .getFlags()
      .find((flag) => flag.getName() === 'from')
      ?.getValue();
    const names = copy.getArguments().map((argument) => argument.getValue());
    const target = names.pop() ?? '.';
    for (const name of names) {
      const inside = name.replace(/^\/app\//, '');
      const source = join(from == null ? PROJECT : this.folder(from), inside);
      const isFolder = target.endsWith('/') || target === '.' || names.length > 1;
      const to = join(this.folder(this.last), target, isFolder ? (inside.split('/').at(-1) ?? '') : '');
      cpSync(source, to, { recursive: true });
    }
  }

  #run(instruction: Instruction): void {
    const command = instruction.getRawArgumentsContent() ?? '';
    execFileSync('sh', ['-c', command], {
      cwd: this.folder(this.last),
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_ENV: '' },
    });
  }
}

describe('the image, its steps repeated in folders', () => {
  const stages = new Stages();
  beforeAll(() => stages.build(), 300_000);
  afterAll(() => rmSync(stages.root, { recursive: true, force: true }), 120_000);

  it('holds a command that starts a server, which its own health check finds alive', async () => {
    const command = join(stages.folder(stages.last), 'dist/cli/main.js');
    const server = spawn(process.execPath, [command, 'serve', '--port', '0', '--agents', 'a,b'], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const address = await firstMatch(server.stdout, /"address":"([^"]+)"/);
      expect(execFileSync(process.execPath, [command, 'health', address], { encoding: 'utf8' })).toContain(
        'ok',
      );
      expect(
        execFileSync(process.execPath, [command, 'health', address, '--ready'], { encoding: 'utf8' }),
      ).toContain('ready');
    } finally {
      server.kill('SIGTERM');
    }
  }, 60_000);

  it('holds no compiler and no source', () => {
    const folder = stages.folder(stages.last);
    const absent = [
      'src',
      'scripts',
      'node_modules/typescript',
      'node_modules/vitest',
      'node_modules/echarts',
    ];
    expect(absent.filter((path) => existsSync(join(folder, path)))).toEqual([]);
    expect(existsSync(join(folder, 'node_modules/fastify'))).toBe(true);
  });
});

/** The first group of the first output that matches. */
function firstMatch(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    stream.on('end', () => reject(new Error(`it ended without ${pattern}: ${text}`)));
  });
}
