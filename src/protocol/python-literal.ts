import { quotePython } from '../domain/python-text.ts';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, also as JSON; null for anything else. */
export function parseRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  if (isRecord(value)) return value;
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** A JSON value as Python writes it. */
export function toPython(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'string':
      return quotePython(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'None';
    case 'object':
      break;
    default:
      return 'None';
  }
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${quotePython(key)}: ${toPython(inner)}`);
  return `{${entries.join(', ')}}`;
}
