type Json = Record<string, unknown>;

/** What the generator writes for want of anything better. */
const PLACEHOLDER = 'Default Response';

/** Describes each response by what its schema says of itself; one without a schema has no content. */
export function describeResponses(document: Json): Json {
  const schemas = asJson(asJson(document.components).schemas);
  const describe = (response: Json): string => {
    const [media] = Object.values(asJson(response.content));
    if (media === undefined) return 'Done; there is no content.';
    const schema = asJson(asJson(media).schema);
    const name =
      String(schema.$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    return String(asJson(schemas[name]).description ?? schema.description ?? 'The answer.');
  };
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const visited = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    return visited.description === PLACEHOLDER ? { ...visited, description: describe(visited) } : visited;
  };
  return { ...document, paths: visit(document.paths) };
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
