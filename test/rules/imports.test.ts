import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAY_IMPORT } from './import-table.ts';
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const byPath = new Map(files.map((file) => [file.path, file]));

/** The longest folder of the table that the file is in: a room of the engine has a line of its own. */
function folderOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  while (folders.length > 1 && MAY_IMPORT[folders.join('/')] === undefined) folders.pop();
  return folders.join('/');
}

function isAllowed(file: SourceFile, target: string): boolean {
  const folder = folderOf(file.path);
  const isOurs = /^(shared|electron|renderer|assets)\//.test(target);
  if (isOurs && folderOf(target) === folder) return true;
  return (MAY_IMPORT[folder] ?? []).some((allowed) =>
    allowed.endsWith(':') || isOurs
      ? target === allowed || target.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`)
      : target === allowed || (allowed === 'react-dom' && target === 'react-dom/client'),
  );
}

test('there are sources to look at', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(byPath.get('shared/export/flat.ts')?.imports).toContain('shared/engine/views/flat-profile.ts');
});

test('nobody imports upward or sideways, and every folder has its line in the table', () => {
  const refused = files.flatMap((file) =>
    file.imports
      .filter((target) => !isAllowed(file, target))
      .map((target) => `${file.path} imports ${target}`),
  );
  expect(refused).toEqual([]);
});

test("only the desktop imports 'electron', and nothing that the command line loads does", () => {
  const importers = files.filter(({ imports }) => imports.includes('electron')).map(({ path }) => path);
  expect(importers.filter((path) => !path.startsWith('electron/desktop/'))).toEqual([]);
  const loaded = reachableFrom('electron/cli/leanscope.ts');
  expect(importers.filter((path) => loaded.has(path))).toEqual([]);
  expect(loaded.has('electron/cli/main.ts')).toBe(true);
});

test('export and summary load no server: what they have in common with serve is imported only when it is asked for', () => {
  const statically = reachableFrom('electron/cli/main.ts', (file) =>
    file.imports.filter(
      (target) => !new RegExp(`import\\('\\./(?:\\w+/)?${target.split('/').at(-1)}'\\)`).test(file.text),
    ),
  );
  expect([...statically].filter((path) => /^electron\/(host|headless|worker)\//.test(path))).toEqual([]);
});

test('the page imports only types of the schemas: it does not load the schema library', () => {
  const loading = files.filter(
    ({ path, text }) =>
      path.startsWith('renderer/') && /import \{[^}]*\} from '[^']*client-messages\.ts'/.test(text),
  );
  expect(loading.map(({ path }) => path)).toEqual([]);
});

test('there are no cycles', () => {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (at: string): void => {
    if (path.includes(at)) cycles.push([...path.slice(path.indexOf(at)), at].join(' -> '));
    if (done.has(at) || path.includes(at)) return;
    path.push(at);
    for (const target of byPath.get(at)?.imports ?? []) visit(target);
    path.pop();
    done.add(at);
  };
  for (const file of files) visit(file.path);
  expect(cycles).toEqual([]);
});

test('imports name the file that defines what they want', () => {
  const wrong = files.flatMap((file) =>
    file.imports
      .filter((target) => /^(shared|electron|renderer)\//.test(target) && !existsSync(join(ROOT, target)))
      .map((target) => `${file.path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('there are no barrels and no default exports', () => {
  const passingOn = files.filter(({ text }) => /^export\s+(type\s+)?(\*|\{[^}]*\})[^;]*\sfrom\s/m.test(text));
  expect(passingOn.map(({ path }) => path)).toEqual([]);
  expect(files.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([]);
});

function reachableFrom(
  start: string,
  importsOf: (file: SourceFile) => readonly string[] = ({ imports }) => imports,
): Set<string> {
  const reached = new Set<string>([start]);
  for (const at of reached) {
    const file = byPath.get(at);
    if (file !== undefined) for (const target of importsOf(file)) reached.add(target);
  }
  return reached;
}
