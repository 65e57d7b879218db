import { basename } from 'node:path';
import { Visitor } from 'vite';
import { parse } from './imports.ts';
import { type Breach, breachAt, type SourceFile } from './source-file.ts';

/** The longest a file may be. Most need less than two thirds of it; more is two files under one name. */
const MOST_LINES = 300;

/** Holds one TypeScript file against the rules on its size, its name and its shape. */
export function checkHouseRules(file: SourceFile): Breach[] {
  return [...checkLength(file), ...checkName(file), ...checkShape(file)];
}

function checkLength(file: SourceFile): Breach[] {
  const lines = file.text.trimEnd().split('\n').length;
  return lines <= MOST_LINES ? [] : [`${file.path} has ${lines} lines of at most ${MOST_LINES}`];
}

function checkName({ path }: SourceFile): Breach[] {
  if (basename(path) === 'index.ts') return [`${path} is named for its place, not for what it holds`];
  const strange = path
    .split('/')
    .find((part) => !/^\.?[a-z0-9]+(-[a-z0-9]+)*(\.(property\.test|test|contract))?(\.ts)?$/.test(part));
  return strange === undefined ? [] : [`${path} is not kebab-case in ${strange}`];
}

function checkShape(file: SourceFile): Breach[] {
  const breaches: Breach[] = [];
  const add = (offset: number, what: string) => breaches.push(breachAt(file, offset, what));
  const program = parse(file);
  new Visitor({
    ExportDefaultDeclaration: ({ start }) => add(start, 'a default export'),
    ExportAllDeclaration: ({ start }) => add(start, 'a re-export of a whole file'),
    TSEnumDeclaration: ({ start }) => add(start, 'an enum'),
    TSAnyKeyword: ({ start }) => add(start, 'any'),
    TSNonNullExpression: ({ start }) => add(start, 'a non-null assertion'),
    TSParameterProperty: ({ start }) => add(start, 'a parameter property'),
  }).visit(program);

  const declaresNothing = program.body.every(
    (node) =>
      node.type === 'ImportDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && node.declaration === null),
  );
  const reExport = program.body.find((node) => node.type === 'ExportNamedDeclaration');
  if (declaresNothing && reExport) add(reExport.start, 'a barrel: it only passes on what others declare');
  return breaches;
}
