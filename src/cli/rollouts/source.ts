import { basename, dirname } from 'node:path';
import { NAME_PATTERN } from '../../config/fields.ts';

/** A file, and whose rollouts it holds where its rows do not say. */
export interface Source {
  readonly path: string;
  /** Given as NAME=FILE: wins over what rows say. */
  readonly agent: string | null;
  readonly fallback: string;
}

const NAMED = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)$/;

/**
 * `qwen=dump.jsonl`, or a file alone, which goes by its name; a file that is called by a number, as verl calls its dumps
 * by the step, goes by its folder's.
 */
export function parseSource(text: string): Source {
  const [, agent = null, path = text] = NAMED.exec(text) ?? [];
  const stem = basename(path).replace(/(\.jsonl?|\.gz)+$/i, '');
  const name = /^\d+$/.test(stem) ? basename(dirname(path)) : stem;
  return { path, agent, fallback: toAgentName(path === '-' ? 'stdin' : name) };
}

/** A model's name as a name that cohorts accept: what they do not is a `-`. */
export function toAgentName(text: string): string {
  if (NAME_PATTERN.test(text)) return text;
  const name = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(-64).replace(/^[^A-Za-z0-9]+/, '') || 'agent';
}
