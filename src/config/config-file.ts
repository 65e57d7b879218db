import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type ConfigProblem, isRecord, type Layer } from './layer.ts';
import { formatPath, gotText, type Path } from './problems.ts';
import { configSchema } from './schema.ts';

/** Reads a configuration file. JSON is read as the YAML that it is, so both get line numbers. */
export function readConfigFile(name: string, text: string): Layer {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${name}:${lines.linePos(offset).line}`;
  const problems = document.errors.map(({ code, message, pos }) => ({
    source: at(pos[0]),
    path: '',
    message:
      code === 'MULTIPLE_DOCS' ? 'expected one document, and a second one starts here' : unquoted(message),
  }));
  if (problems.length > 0) return unreadable(name, problems);
  try {
    const content: unknown = document.toJS();
    return toLayer(content, (path) => at(offsetOf(document, path)));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return unreadable(name, [{ source: name, path: '', message: unquoted(message) }]);
  }
}

/** What YAML says is wrong, without the piece of the file that it quotes: that may be a secret. */
function unquoted(message: string): string {
  return message.replace(/:\s.*$/s, '');
}

/** A file that says nothing but what is wrong with it. */
export function unreadable(name: string, problems: readonly ConfigProblem[]): Layer {
  return { server: {}, redis: {}, judge: {}, code: {}, cohorts: new Map(), problems, sourceOf: () => name };
}

/** An empty file, and a section with everything commented out (null), set nothing. */
function toLayer(content: unknown, sourceOf: Layer['sourceOf']): Layer {
  const problems: ConfigProblem[] = [];
  const report = (path: Path, message: string) =>
    problems.push({ source: sourceOf(path), path: formatPath(path), message });
  const sections = Object.keys(configSchema.shape);
  const root = content ?? {};
  if (!isRecord(root)) report([], `expected an object with ${sections.join(', ')}${gotText(root)}`);
  const section = (key: string) => {
    const value = isRecord(root) ? (root[key] ?? {}) : {};
    if (isRecord(value)) return value;
    report([key], `expected an object${gotText(value)}`);
    return {};
  };
  for (const key of isRecord(root) ? Object.keys(root) : []) {
    if (!sections.includes(key)) report([key], `unknown key; the keys here are ${sections.join(', ')}`);
  }
  return {
    server: section('server'),
    redis: section('redis'),
    judge: section('judge'),
    code: section('code'),
    cohorts: new Map(Object.entries(section('cohorts'))),
    problems,
    sourceOf,
  };
}

/** Offset of the key or list item at a path; of the nearest one around it where the path ends early. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isMap(target)) {
      const pair = target.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(target) && typeof key === 'number') {
      node = target.items[key];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
