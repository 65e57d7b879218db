import { Visitor } from 'vite';
import { type Import, parse, readImports } from './imports.ts';
import { type Breach, breachAt, type SourceFile } from './source-file.ts';

/**
 * What a folder of src may import beside itself: folders or single files of src. `types` may be imported as types only.
 * A pure layer computes from its arguments: no built-in module, no clock, no chance, no input and no output.
 */
type Layer = { readonly pure?: true; readonly uses: readonly string[]; readonly types?: readonly string[] };

const LAYERS: Readonly<Record<string, Layer>> = {
  domain: { pure: true, uses: [] },
  answers: { pure: true, uses: [] },
  methods: { pure: true, uses: ['domain', 'answers'] },
  theory: { pure: true, uses: ['domain', 'methods'] },
  store: { uses: ['domain'] },
  service: { uses: ['domain', 'answers', 'methods', 'store/store.ts'] },
  external: { uses: ['domain'], types: ['service'] },
  protocol: {
    uses: ['domain', 'answers/modes.ts', 'answers/reasoning-policy.ts'],
    types: ['service', 'methods', 'store/store.ts'],
  },
  http: {
    uses: ['protocol', 'service', 'domain/errors.ts', 'domain/access.ts', 'domain/fallible-read.ts'],
    types: ['domain', 'observability'],
  },
  observability: { uses: ['domain'], types: ['service'] },
  config: { uses: ['domain', 'answers/modes.ts', 'answers/reasoning-policy.ts', 'answers/regex'] },
  cli: {
    uses: [
      'domain',
      'answers',
      'methods',
      'theory',
      'store',
      'service',
      'external',
      'protocol',
      'http',
      'observability',
      'config',
    ],
  },
};

/** The only folders that know a package. A package that is not named here has not earned its place yet. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  zod: ['config', 'protocol', 'external', 'cli'],
  yaml: ['config', 'http', 'cli'],
  fastify: ['http'],
  'fastify-plugin': ['http'],
  '@fastify/helmet': ['http'],
  'fastify-type-provider-zod': ['http'],
  '@fastify/swagger': ['http'],
  '@scalar/fastify-api-reference': ['http'],
  'openapi-types': ['http'],
  pino: ['observability'],
  'prom-client': ['observability'],
  commander: ['cli'],
  'pure-rand': ['cli'],
  'simple-ascii-chart': ['cli'],
  echarts: ['cli'],
  '@resvg/resvg-js': ['cli'],
  'dejavu-fonts-ttf': ['cli'],
  'close-with-grace': ['cli'],
  ioredis: ['store/redis'],
  tinyqueue: ['store'],
  undici: ['external'],
  'p-limit': ['external'],
  'cli-progress': ['cli'],
  'lru-cache': ['external'],
};

/** What the whole process shares; only the composition root reads or ends it. */
const PROCESS_WIDE = new Set(['env', 'exit', 'exitCode', 'argv']);

const WORLD_OBJECTS = new Set(['process', 'console', 'performance', 'crypto']);
const WORLD_CALLS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']);

/** Holds one source file against the arrows of the design; an empty list if it keeps them all. */
export function checkLayers(file: SourceFile): Breach[] {
  const [, name = ''] = file.path.split('/');
  const layer = LAYERS[name];
  if (!layer) return [breachAt(file, 0, 'lies in no layer of the design')];
  return [
    ...readImports(file).flatMap((each) => checkImport(file, name, layer, each)),
    ...(name === 'cli' ? [] : checkProcess(file)),
    ...(layer.pure ? checkPurity(file) : []),
  ];
}

function checkImport(
  file: SourceFile,
  name: string,
  layer: Layer,
  { kind, target, typeOnly, offset }: Import,
) {
  const isWithin = (folder: string) => target === `src/${folder}` || target.startsWith(`src/${folder}/`);
  if (kind === 'file') {
    if ([name, ...layer.uses].some(isWithin)) return [];
    if (!layer.types?.some(isWithin)) return [breachAt(file, offset, `${name} must not import ${target}`)];
    return typeOnly ? [] : [breachAt(file, offset, `${name} may import only types from ${target}`)];
  }
  if (kind === 'package') {
    const allowed = PACKAGES[target]?.some((folder) => file.path.startsWith(`src/${folder}/`));
    return allowed ? [] : [breachAt(file, offset, `${name} must not import the package ${target}`)];
  }
  if (kind === 'builtin') {
    const allowed = !layer.pure && (name === 'cli' || target !== 'node:process');
    return allowed ? [] : [breachAt(file, offset, `${name} must not import ${target}`)];
  }
  return [breachAt(file, offset, `imports ${target}`)];
}

/** `process.env` and its like, under whatever spelling reaches them. */
function checkProcess(file: SourceFile): Breach[] {
  const breaches: Breach[] = [];
  const add = (offset: number, what: string) =>
    breaches.push(breachAt(file, offset, `${what} belongs to cli`));
  new Visitor({
    MemberExpression: ({ object, property, computed, start }) => {
      if (object.type !== 'Identifier') return;
      const name = !computed && property.type === 'Identifier' ? property.name : undefined;
      if (object.name === 'process' && (name === undefined || PROCESS_WIDE.has(name))) {
        add(start, `process.${name ?? '[…]'}`);
      }
      if (object.name === 'globalThis' && name === 'process') add(start, 'globalThis.process');
    },
    VariableDeclarator: ({ init, start }) => {
      if (init?.type === 'Identifier' && init.name === 'process') add(start, 'another name for process');
    },
  }).visit(parse(file));
  return breaches;
}

/** Time, chance and the outside world, which a pure layer takes as arguments. */
function checkPurity(file: SourceFile): Breach[] {
  const breaches: Breach[] = [];
  const add = (offset: number, what: string) => breaches.push(breachAt(file, offset, `${what} is not pure`));
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier') return;
      const text = property.type === 'Identifier' ? `${object.name}.${property.name}` : object.name;
      if (WORLD_OBJECTS.has(object.name) || text === 'Date.now' || text === 'Math.random') add(start, text);
    },
    CallExpression: ({ callee, start }) => {
      if (callee.type === 'Identifier' && WORLD_CALLS.has(callee.name)) add(start, callee.name);
    },
    NewExpression: ({ callee, arguments: given, start }) => {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
        add(start, 'new Date()');
    },
  }).visit(parse(file));
  return breaches;
}
