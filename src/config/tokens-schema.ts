import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Grant } from '../domain/access.ts';
import { NAME_PATTERN, strictObject } from './fields.ts';

/** A token as it is kept: its SHA-256, never itself. */
export interface Token {
  readonly grant: Grant;
  readonly digest: Uint8Array;
}

export type ParsedTokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const MIN_LENGTH = 16;
const MAX_LENGTH = 512;
const MAX_TOKENS = 10_000;
const HASHED = /^sha256:([0-9a-f]{64})$/;

const TOKEN_RULE = `expected a token of ${MIN_LENGTH} to ${MAX_LENGTH} visible ASCII characters, or sha256: and the 64 hex digits of its hash`;
const tokenSchema = z
  .string({ error: TOKEN_RULE })
  .min(MIN_LENGTH, { error: TOKEN_RULE })
  .max(MAX_LENGTH, { error: TOKEN_RULE })
  .regex(/^[\x21-\x7e]+$/, { error: TOKEN_RULE });
const tokensOf = z.union([tokenSchema.transform((token) => [token]), z.array(tokenSchema)], {
  error: TOKEN_RULE,
});

const AGENT_RULE = 'expected cohort/agent, as in math/qwen';
const agentKey = z.string().refine(
  (key) => {
    const parts = key.split('/');
    return parts.length === 2 && parts.every((part) => NAME_PATTERN.test(part));
  },
  { error: AGENT_RULE },
);

const fileSchema = strictObject({
  admin: tokensOf.default([]),
  read: tokensOf.default([]),
  agents: z.record(agentKey, tokensOf, { error: AGENT_RULE }).default({}),
});

/**
 * Tokens from YAML or JSON: `admin`, `read`, and `agents` by cohort/agent, each one token or a list (two while one is being
 * replaced). Problems name places, never tokens. Never throws.
 */
export function parseTokens(text: string): ParsedTokens {
  let raw: unknown;
  try {
    raw = parse(text, { maxAliasCount: 0 });
  } catch {
    // What YAML says of the place quotes it, and it may be a token.
    return { ok: false, problems: ['The tokens are neither YAML nor JSON.'] };
  }
  const parsed = fileSchema.safeParse(raw ?? {});
  if (!parsed.success) {
    // Only the first part of a path: what is below, or beside, may be a token that stands in the wrong place.
    const problems = parsed.error.issues.map(
      ({ path: [place], message }) => `${place === undefined ? 'the file' : String(place)}: ${message}`,
    );
    return { ok: false, problems };
  }
  const { admin, read, agents } = parsed.data;
  const tokens = [
    ...admin.map((token) => toToken(token, { kind: 'admin' })),
    ...read.map((token) => toToken(token, { kind: 'reader' })),
    ...Object.entries(agents).flatMap(([key, list]) => {
      const [cohort = '', agent = ''] = key.split('/');
      return list.map((token) => toToken(token, { kind: 'agent', cohort, agent }));
    }),
  ];
  const distinct = new Set(tokens.map(({ digest }) => Buffer.from(digest).toString('hex')));
  if (distinct.size < tokens.length) {
    return { ok: false, problems: ['One token stands in several places: give each its own.'] };
  }
  if (tokens.length === 0) return { ok: false, problems: ['There is no token: name admin, read or agents.'] };
  if (tokens.length > MAX_TOKENS)
    return { ok: false, problems: [`There are more than ${MAX_TOKENS} tokens.`] };
  return { ok: true, tokens };
}

function toToken(text: string, grant: Grant): Token {
  const hashed = HASHED.exec(text)?.[1];
  const digest =
    hashed === undefined ? createHash('sha256').update(text).digest() : Buffer.from(hashed, 'hex');
  return { grant, digest };
}
