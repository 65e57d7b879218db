type Json = Record<string, unknown>;

const PREFIX = '#/components/schemas/';

/**
 * The schema converter emits `X` and `XInput` for every named schema, used or not: keeps what the paths
 * refer to, directly or not, and calls a lone `XInput` by its name `X`.
 */
export function tidyDocument(document: Json): Json {
  const components = (document.components ?? {}) as Json;
  const schemas = (components.schemas ?? {}) as Json;
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    for (const name of referencesIn(node)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name]);
    }
  };
  visit(document.paths);
  const names = new Map<string, string>();
  for (const name of used) {
    const base = name.replace(/Input$/, '');
    names.set(name, used.has(base) ? name : base);
  }
  const kept = [...used].sort().map((name) => [names.get(name) ?? name, schemas[name]]);
  const tidied = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
  return renameReferences(tidied, names) as Json;
}

function* referencesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* referencesIn(item);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX))
      yield value.slice(PREFIX.length);
    else yield* referencesIn(value);
  }
}

function renameReferences(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((item) => renameReferences(item, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) {
        return [key, renameReferences(value, names)];
      }
      const name = value.slice(PREFIX.length);
      return [key, `${PREFIX}${names.get(name) ?? name}`];
    }),
  );
}
