import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { type Copy, DockerfileParser, type From } from 'dockerfile-ast';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { filesBelow, PROJECT } from '../architecture/source-file.ts';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const dockerfile = DockerfileParser.parse(read('docker/Dockerfile'));
const ignored = read('docker/Dockerfile.dockerignore').trim().split('\n');
const manifest = JSON.parse(read('package.json'));

/** COPY lines from the checkout, not from another stage: what each takes. */
const sources = dockerfile
  .getCOPYs()
  .filter((copy: Copy) => !copy.getFlags().some((flag) => flag.getName() === 'from'))
  .flatMap((copy: Copy) =>
    copy
      .getArguments()
      .slice(0, -1)
      .map((argument) => argument.getValue()),
  );

describe('the image', () => {
  it('is built from files that are there and that the ignore file lets through', () => {
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(join(PROJECT, source)), source).toBe(true);
      expect(
        ignored.some((line) => line === `!${source}`),
        source,
      ).toBe(true);
    }
    expect(ignored[0]).toBe('*');
    for (const line of ignored.slice(1)) expect(sources, line).toContain(line.slice(1));
  });

  it('brings every file that the build reads and that the npm package has', () => {
    const build = read('scripts/build.ts');
    for (const file of build.matchAll(/'(tsconfig[\w.]*\.json)'/g)) expect(sources).toContain(file[1]);
    for (const file of manifest.files.filter((each: string) => each !== 'dist'))
      expect(sources).toContain(file);
  });

  it('runs on a Node that the package supports and CI tests', () => {
    const [, version = ''] = /node:(\d+\.\d+\.\d+)-/.exec(read('docker/Dockerfile')) ?? [];
    expect(read('.ci/run')).toContain(`newer_node=${version}`);
    expect(manifest.engines.node).toBe('>=20.19.0');
  });

  it('runs as a user without a name, and is asked for its health by its own command', () => {
    const text = read('docker/Dockerfile');
    expect(text).toMatch(/^USER 10001:10001$/m);
    expect(text).toMatch(/^HEALTHCHECK .*"dist\/cli\/main.js", "health"\]$/m);
    const last = dockerfile.getFROMs().at(-1) as From;
    const user = dockerfile
      .getInstructions()
      .filter((each) => each.getKeyword() === 'USER')
      .at(-1);
    expect(user?.getRange().start.line).toBeGreaterThan(last.getRange().start.line);
  });

  it('holds no package that only development needs', () => {
    expect(read('docker/Dockerfile')).toMatch(/npm ci --omit=dev --omit=peer/);
  });
});

describe('the compose file', () => {
  const compose = parse(read('docker/compose.yaml'), { merge: true });
  const services: Record<string, Record<string, unknown>> = compose.services;

  it('mounts only what is there', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const volume of (service.volumes ?? []) as string[]) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) {
          const path = relative(PROJECT, normalize(join(PROJECT, 'docker', source)));
          expect(existsSync(join(PROJECT, path)), `${name}: ${source}`).toBe(true);
        } else {
          expect(Object.keys(compose.volumes), `${name}: ${source}`).toContain(source);
        }
      }
    }
  });

  it('starts two replicas with a configuration that the server takes, on the Redis beside them', () => {
    for (const name of ['peervote-1', 'peervote-2']) {
      const service = services[name] as {
        environment: Record<string, string>;
        build: Record<string, string>;
      };
      const loaded = loadConfig({
        flags: { config: 'cohorts.yaml', host: '0.0.0.0', openAccess: 'true' },
        env: service.environment,
        readFile: () => read('examples/cohorts.yaml'),
      });
      expect(loaded).toMatchObject({ ok: true, config: { server: { replicas: 2, host: '0.0.0.0' } } });
      expect(new URL(service.environment.PEERVOTE_REDIS_URL ?? '').hostname).toBe('redis');
      expect(
        statSync(
          join(PROJECT, 'docker', service.build.context ?? '', service.build.dockerfile ?? ''),
        ).isFile(),
      ).toBe(true);
    }
  });

  it('has Prometheus read every replica, and Grafana read Prometheus', () => {
    const scrape = parse(read('docker/prometheus.yaml')).scrape_configs[0].static_configs[0].targets;
    expect(scrape).toEqual(['peervote-1:8080', 'peervote-2:8080']);
    const [source] = parse(read('docker/grafana/datasources/prometheus.yaml')).datasources;
    expect(new URL(source.url).hostname).toBe('prometheus');
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['peervote-1', 'peervote-2', 'prometheus', 'grafana']),
    );
  });

  it('opens its ports to this machine only', () => {
    for (const service of Object.values(services)) {
      for (const port of (service.ports ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('leaves no file of its folder unused', () => {
    const text = read('docker/compose.yaml') + read('docker/Dockerfile');
    for (const file of filesBelow(join(PROJECT, 'docker'))) {
      const used = text.includes(file) || text.includes(dirname(file)) || /^(compose|Dockerfile)/.test(file);
      expect(used, file).toBe(true);
    }
  });
});
