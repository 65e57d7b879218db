import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';
import type { SourceFile } from './source-file.ts';

/** One import or re-export. `target` is a path from the project's top, a package's name, or `node:…`. */
export type Import = {
  readonly kind: 'file' | 'package' | 'builtin' | 'unreadable';
  readonly target: string;
  readonly typeOnly: boolean;
  readonly offset: number;
};

/** Every import of a file: static, dynamic, in a type, and the re-exports. */
export function readImports(file: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, offset: number) =>
    found.push({ ...locate(specifier, file.path), typeOnly, offset });

  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === 'type', node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === 'type', node.start),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind === 'type', node.start);
    },
    TSImportType: (node) => add(node.source.value, true, node.start),
    ImportExpression: (node) => {
      const { source } = node;
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false, node.start);
      else found.push({ kind: 'unreadable', target: 'a computed name', typeOnly: false, offset: node.start });
    },
  }).visit(parse(file));
  return found;
}

/** The syntax tree of a file. Throws on a syntax error: a file that cannot be read must not count as clean. */
export function parse(file: SourceFile) {
  const { program, errors } = parseSync(file.path, file.text);
  const [error] = errors;
  if (error) throw new Error(`${file.path} cannot be read: ${error.message}`);
  return program;
}

function locate(specifier: string, importer: string): Pick<Import, 'kind' | 'target'> {
  if (specifier.startsWith('.')) {
    return { kind: 'file', target: posix.join(posix.dirname(importer), specifier) };
  }
  if (specifier.startsWith('node:')) return { kind: 'builtin', target: specifier };
  const segments = specifier.startsWith('@') ? 2 : 1;
  return { kind: 'package', target: specifier.split('/').slice(0, segments).join('/') };
}
