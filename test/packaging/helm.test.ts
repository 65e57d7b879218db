import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { serverConfigSchema } from '../../src/config/schema.ts';
import { Certificates } from '../support/certificates.ts';
import { at, CHART, helm, type Manifest, nameOf, pick, render } from '../support/helm.ts';

/** Checks an object against the API of its kind; the Gateway API has no models and is looked at by hand below. */
const MODELS: Readonly<Record<string, new (object: never) => { validate(): void }>> = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  Pod,
  PodDisruptionBudget,
  PrometheusRule,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
};

type Labels = Readonly<Record<string, string>>;

const POD = 'spec.template.spec';
const POD_LABELS = 'spec.template.metadata.labels';
const CONTAINER = `${POD}.containers.0`;

const VALUES = readdirSync(join(CHART, 'ci')).map((file) => file.replace('-values.yaml', ''));

const certificates = new Certificates();
const redisSide = certificates.issue('DNS:redis');
afterAll(() => certificates.remove());

/** What the pods of a rendering would load, from their file and their variables. */
function loadedBy(objects: readonly Manifest[]) {
  const data = at<Record<string, string>>(pick(objects, 'ConfigMap', serverName(objects)), 'data');
  const text = data['peervote.yaml'] ?? '';
  const env = at<{ name: string; value?: string }[]>(serverOf(objects), `${CONTAINER}.env`);
  const secretOf = (name: string) => (name.endsWith('_URL') ? 'rediss://from-secret:6380' : 'from-secret');
  const settings = Object.fromEntries(env.map(({ name, value }) => [name, value ?? secretOf(name)]));
  const files: Readonly<Record<string, string>> = {
    '/etc/peervote/peervote.yaml': text,
    '/etc/peervote-redis/ca.crt': readFileSync(certificates.ca, 'utf8'),
    '/etc/peervote-redis/tls.crt': readFileSync(redisSide.cert, 'utf8'),
    '/etc/peervote-redis/tls.key': readFileSync(redisSide.key, 'utf8'),
  };
  return loadConfig({ flags: {}, env: settings, readFile: (path) => files[path] ?? '' });
}

const serverName = (objects: readonly Manifest[]) => nameOf(serverOf(objects));

function serverOf(objects: readonly Manifest[]): Manifest {
  const found = objects.find(
    (object) =>
      object.kind === 'Deployment' &&
      at<Labels>(object, POD_LABELS)['app.kubernetes.io/component'] === 'server',
  );
  if (found === undefined) throw new Error('the chart renders no server');
  return found;
}

describe('the chart', () => {
  it.each(VALUES)('passes the strict lint with the values "%s"', (values) => {
    expect(helm('lint', '--strict', '.', '--values', `ci/${values}-values.yaml`)).toContain(
      '0 chart(s) failed',
    );
  });

  it.each(VALUES)('renders objects that the API of Kubernetes takes with the values "%s"', (values) => {
    for (const object of render([values])) {
      const Model = MODELS[object.kind];
      if (object.kind === 'HTTPRoute') continue;
      if (Model === undefined) throw new Error(`no model of ${object.kind}`);
      new Model(object as never).validate();
    }
  });

  it.each(VALUES)('gives the server a configuration that it starts with, by the values "%s"', (values) => {
    expect(loadedBy(render([values]))).toMatchObject({ ok: true });
  });

  it('passes cohorts and settings on as they are written', () => {
    const loaded = loadedBy(render(['ha']));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.config.cohorts).toMatchObject([
      { name: 'math', agents: [{ name: 'qwen', k: 8 }, { name: 'llama' }] },
    ]);
    expect(loaded.config.server).toMatchObject({
      maxWaitMs: 90_000,
      logLevel: 'warn',
      replicas: 5,
      drainTimeoutMs: 10_000,
    });
    expect(loaded.config.redis?.url).toBe('rediss://from-secret:6380');
  });

  it('knows every setting of the server but those that it sets itself', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
    const own = [
      ...['host', 'port', 'replicas', 'drain_timeout_ms', 'metrics_port'],
      ...['tokens_file', 'tokens', 'open_access'],
    ];
    const settable = Object.keys(serverConfigSchema.shape).filter((key) => !own.includes(key));
    expect(Object.keys(schema.properties.server.properties).sort()).toEqual(settable.sort());
  });

  it('has a schema that is closed and knows every value', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
    const { global: _, ...known } = schema.properties;
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(values).sort()).toEqual(Object.keys(known).sort());
  });

  it.each([
    ['replicas=2', /needs a Redis/],
    ['autoscaling={"enabled":true}', /needs a Redis/],
    ['redis={"mode":"external"}', /existingSecret/],
    ['ingress={"enabled":true}', /ingress.hosts/],
    ['gateway={"enabled":true}', /parentRefs/],
    ['auth={"openAccess":false}', /auth.existingSecret/],
    ['auth={"openAccess":true,"existingSecret":"x"}', /say two things/],
    ['unknown=1', /additional properties 'unknown' not allowed/],
    ['server={"port":9000}', /additional properties 'port' not allowed/],
    ['replicas="two"', /replicas/],
  ])('refuses %s and says why', (setting, reason) => {
    expect(() => render(['default'], setting)).toThrow(reason);
  });
});

describe('the pods', () => {
  it('run as nobody in particular, on a root that nothing writes to', () => {
    const server = serverOf(render(['ha']));
    expect(at(server, `${POD}.securityContext`)).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(at(server, `${CONTAINER}.securityContext`)).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(at(server, POD)).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  it('have time to leave: the pause, the drain, and some more', () => {
    const server = serverOf(render(['default'], 'preStopSeconds=12', 'drainTimeoutMs=30000'));
    expect(at<number>(server, `${POD}.terminationGracePeriodSeconds`)).toBeGreaterThan(12 + 30);
    expect(at<string[]>(server, `${CONTAINER}.lifecycle.preStop.exec.command`).at(-1)).toContain('12000');
  });

  it('are asked whether they are ready and, apart from it, whether they live', () => {
    const server = serverOf(render(['default']));
    expect(at(server, `${CONTAINER}.readinessProbe.httpGet.path`)).toBe('/readyz');
    expect(at(server, `${CONTAINER}.livenessProbe.httpGet.path`)).toBe('/healthz');
  });

  it('are replaced one after another, but never two at a time on the memory of one', () => {
    expect(at(serverOf(render(['default'])), 'spec.strategy')).toEqual({ type: 'Recreate' });
    expect(at(serverOf(render(['ha'])), 'spec.strategy.rollingUpdate')).toEqual({
      maxSurge: 1,
      maxUnavailable: 0,
    });
  });

  it('start anew when their configuration changes', () => {
    const sum = (...settings: string[]) =>
      at<Labels>(serverOf(render(['default'], ...settings)), 'spec.template.metadata.annotations')[
        'checksum/config'
      ];
    expect(sum()).toBe(sum());
    expect(sum()).not.toBe(sum('server={"log_level":"warn"}'));
  });

  it('are found by the Service, the monitor, the budget and the policy', () => {
    const objects = render(['ha']);
    const labels = at<Labels>(serverOf(objects), POD_LABELS);
    const service = pick(objects, 'Service');
    const selectors = [
      at<Labels>(service, 'spec.selector'),
      at<Labels>(pick(objects, 'PodDisruptionBudget'), 'spec.selector.matchLabels'),
      at<Labels>(pick(objects, 'NetworkPolicy'), 'spec.podSelector.matchLabels'),
      at<Labels>(serverOf(objects), 'spec.selector.matchLabels'),
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector);
    expect(at(service, 'metadata.labels')).toMatchObject(
      at<Labels>(pick(objects, 'ServiceMonitor'), 'spec.selector.matchLabels'),
    );
    expect(at(pick(objects, 'HorizontalPodAutoscaler'), 'spec.scaleTargetRef.name')).toBe(
      serverName(objects),
    );
  });
});

describe('what stands in front', () => {
  it('waits longer than any request is held', () => {
    const held = Math.max(
      ...['openrlhf_hold_ms', 'slime_hold_ms', 'max_wait_ms'].map((key) => defaultOf(key)),
    );
    const ingress = pick(render(['ha']), 'Ingress');
    const read = Number(
      at<Labels>(ingress, 'metadata.annotations')['nginx.ingress.kubernetes.io/proxy-read-timeout'],
    );
    expect(read * 1000).toBeGreaterThan(held);
    const rule = at<object>(pick(render(['gateway']), 'HTTPRoute'), 'spec.rules.0');
    expect(Number.parseInt(at(rule, 'timeouts.request'), 10) * 1000).toBeGreaterThan(held);
    expect(at(rule, 'backendRefs')).toEqual([{ name: 'rewards', port: 80 }]);
  });

  it('lets nobody but a neighbour send, unless something in front passes requests on', () => {
    const from = (name: string) => at(pick(render([name]), 'NetworkPolicy'), 'spec.ingress.0.from');
    expect(from('default')).toEqual([{ podSelector: {} }]);
    expect(from('gateway')).toEqual([{ podSelector: {} }, { namespaceSelector: {} }]);
  });

  it('lets the servers send anywhere, or where they are told to and to DNS', () => {
    const open = pick(render(['default']), 'NetworkPolicy');
    expect([at(open, 'spec.policyTypes'), at(open, 'spec.egress')]).toEqual([['Ingress'], undefined]);
    const rule = { to: [{ podSelector: { matchLabels: { app: 'redis' } } }], ports: [{ port: 6379 }] };
    const objects = render(['default'], `networkPolicy.egress=${JSON.stringify([rule])}`);
    const closed = pick(objects, 'NetworkPolicy');
    expect(at(closed, 'spec.policyTypes')).toEqual(['Ingress', 'Egress']);
    const dns = ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol }));
    expect(at(closed, 'spec.egress')).toEqual([{ ports: dns }, rule]);
  });

  it('gives the trial Redis a password, which both sides have from one Secret', () => {
    const objects = render(['trial']);
    const secret = pick(objects, 'Secret', 'run-peervote-redis');
    expect(Buffer.from(at(secret, 'data.password'), 'base64').toString()).toMatch(/^[A-Za-z0-9]{32}$/);
    const reference = { name: 'run-peervote-redis', key: 'password' };
    const redis = pick(objects, 'Deployment', 'run-peervote-redis');
    expect(at(redis, `${CONTAINER}.env.0.valueFrom.secretKeyRef`)).toEqual(reference);
    expect(at(redis, `${CONTAINER}.args.0`)).toContain('requirepass');
    const env = at<{ name: string; value?: string; valueFrom?: object }[]>(
      serverOf(objects),
      `${CONTAINER}.env`,
    );
    const named = new Map(env.map((variable) => [variable.name, variable]));
    expect(named.get('TRIAL_REDIS_PASSWORD')?.valueFrom).toEqual({ secretKeyRef: reference });
    expect(named.get('PEERVOTE_REDIS_URL')?.value).toContain('redis://:$(TRIAL_REDIS_PASSWORD)@');
  });

  it('keeps the trial Redis to the servers', () => {
    const objects = render(['trial']);
    const redis = at<Labels>(pick(objects, 'Deployment', 'run-peervote-redis'), POD_LABELS);
    const policy = pick(objects, 'NetworkPolicy', 'run-peervote-redis');
    expect(redis).toMatchObject(at<Labels>(policy, 'spec.podSelector.matchLabels'));
    expect(at(policy, 'spec.ingress.0.from')).toHaveLength(1);
    expect(redis).not.toMatchObject(at<Labels>(pick(objects, 'Service', 'run-peervote'), 'spec.selector'));
  });
});

function defaultOf(key: string): number {
  return Number((serverConfigSchema.parse({}) as Record<string, unknown>)[key]);
}
