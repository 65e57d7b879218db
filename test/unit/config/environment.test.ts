import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENT_VARIABLES, configFromEnvironment, variableOf } from '../../../src/config/environment.ts';
import { SETTINGS } from '../../../src/config/schema.ts';

describe('the environment', () => {
  test('has a variable for every setting, named after its path', () => {
    expect(variableOf('server', 'body_limit_bytes')).toBe('PEERVOTE_SERVER_BODY_LIMIT_BYTES');
    expect(variableOf('redis', 'url')).toBe('PEERVOTE_REDIS_URL');
    for (const section of ['server', 'redis'] as const) {
      for (const key of Object.keys(SETTINGS[section].shape)) {
        const name = variableOf(section, key);
        const layer = configFromEnvironment({ [name]: '7' });
        expect([...Object.keys(layer.server), ...Object.keys(layer.redis)]).toEqual([key]);
        expect(Object.keys(layer[section])).toEqual([key]);
        expect(layer.problems).toEqual([]);
        expect(layer.sourceOf([section, key])).toBe(name);
      }
    }
  });

  test('gives numbers where numbers are wanted, and texts elsewhere', () => {
    const { server } = configFromEnvironment({ PEERVOTE_SERVER_PORT: '9000', PEERVOTE_SERVER_HOST: '127' });
    expect(server).toEqual({ port: 9_000, host: '127' });
  });

  test('leaves a text that is no number for the schema to refuse', () => {
    for (const text of ['80a', '0x50', '1e3', 'Infinity', '8,0']) {
      expect(configFromEnvironment({ PEERVOTE_SERVER_PORT: text }).server).toEqual({ port: text });
    }
  });

  test('an unknown PEERVOTE_ variable is an error that lists the known ones', () => {
    const { problems } = configFromEnvironment({ PEERVOTE_SERVER_PROT: '1', PEERVOTE_K: '8' });
    expect(problems.map(({ source }) => source)).toEqual(['PEERVOTE_SERVER_PROT', 'PEERVOTE_K']);
    expect(problems[0]?.message).toContain('PEERVOTE_SERVER_PORT');
  });

  test('other variables and empty ones are not looked at', () => {
    const layer = configFromEnvironment({
      PATH: '/bin',
      MY_PEERVOTE_X: '1',
      PEERVOTE_SERVER_PORT: '',
      PEERVOTE_CONFIG: 'a.yaml',
      PEERVOTE_OTHER: undefined,
    });
    expect(layer).toMatchObject({ server: {}, problems: [] });
  });

  test('those of the Python client, which a shell may have set for a trainer, set nothing and are no mistake', () => {
    const source = resolve(import.meta.dirname, '../../../clients/python/src/peervote');
    const text = readdirSync(source).map((file) =>
      file.endsWith('.py') ? readFileSync(resolve(source, file), 'utf8') : '',
    );
    const read = new Set(text.join().match(/PEERVOTE_[A-Z]+(_[A-Z]+)*/g));
    expect([...read].sort()).toEqual([...CLIENT_VARIABLES].sort());
    const layer = configFromEnvironment(Object.fromEntries([...read].map((name) => [name, 'x'])));
    expect(layer).toMatchObject({ server: {}, redis: {}, judge: {}, code: {}, problems: [] });
    expect(configFromEnvironment({ PEERVOTE_URLS: 'x' }).problems).toHaveLength(1);
  });

  test('variables that Kubernetes makes for a Service of that name are no settings', () => {
    const layer = configFromEnvironment({
      PEERVOTE_SERVICE_HOST: '10.0.0.7',
      PEERVOTE_SERVICE_PORT: '8080',
      PEERVOTE_SERVICE_PORT_HTTP: '8080',
      PEERVOTE_PORT: 'tcp://10.0.0.7:8080',
      PEERVOTE_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
      PEERVOTE_PORT_8080_TCP_PROTO: 'tcp',
      PEERVOTE_PORT_8080_TCP_PORT: '8080',
      PEERVOTE_PORT_8080_TCP_ADDR: '10.0.0.7',
      PEERVOTE_SERVER_PORT: 'tcp://10.0.0.8:8080',
      PEERVOTE_SERVER_SERVICE_HOST: '10.0.0.8',
    });
    expect(layer).toMatchObject({ server: {}, problems: [] });
  });
});
