import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const FILES = [
  'style.css',
  'icon.svg',
  'api.js',
  'app.js',
  'bucket-view.js',
  'charts.js',
  'cohort-view.js',
  'compare.js',
  'dom.js',
  'figure.js',
  'figures-table.js',
  'format.js',
  'inspector.js',
  'overview.js',
  'plot.js',
  'ring.js',
  'route.js',
  'sample-view.js',
  'verdict-line.js',
  'vitals.js',
] as const;

/** Of packages: copied beside the page by the build, else served from where npm put them. */
const VENDORED = { 'uplot.js': 'uplot/dist/uPlot.esm.js', 'uplot.css': 'uplot/dist/uPlot.min.css' } as const;

/** Nothing from elsewhere, nothing inline: what a model writes cannot run, load or send anything. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** The live page at `/`. Its files hold no data, so that a browser without a token can say that it wants one. */
export function registerPage(app: FastifyInstance): void {
  serve(app, '/', 'index.html', readFileSync(own('index.html')));
  for (const name of FILES) serve(app, `/live/${name}`, name, readFileSync(own(name)));
  for (const [name, file] of Object.entries(VENDORED)) {
    const copy = own(`vendor/${name}`);
    const path = existsSync(copy) ? copy : createRequire(import.meta.url).resolve(file);
    serve(app, `/live/${name}`, name, readFileSync(path));
  }
}

function own(name: string): URL {
  return new URL(`../live/${name}`, import.meta.url);
}

function serve(app: FastifyInstance, url: string, name: string, content: Buffer): void {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  app.route({
    method: 'GET',
    url,
    config: { need: 'nothing' },
    helmet: { contentSecurityPolicy: CONTENT_SECURITY_POLICY },
    schema: { hide: true } as object,
    handler: async (request, reply) => {
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(TYPES[extname(name)] ?? 'application/octet-stream').send(content);
    },
  });
}
