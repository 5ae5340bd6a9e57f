import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts';

/** Every room of the window's store may import these. */
const BELOW_THE_STORE = [
  'renderer/connection',
  'renderer/profile-worker/mirror-messages.ts',
  'renderer/profile-worker/pane-messages.ts',
  'renderer/profile-worker/pane-specs.ts',
  'shared/engine/query.ts',
  'shared/agent',
  'shared/assert.ts',
  'shared/engine/columns',
  'shared/export/compare-list.ts',
  'shared/export/export-formats.ts',
  'shared/export/export-view.ts',
  'shared/export/page-options.ts',
  'shared/facts',
  'shared/findings/finding.ts',
  'shared/merge',
  'shared/profile/profile-units.ts',
  'shared/protocol',
  'shared/scope/apart.ts',
  'shared/scope/context-condition.ts',
  'shared/scope/scope.ts',
  'shared/scope/scope-fields.ts',
  'shared/scope/transform-list.ts',
  'shared/scope/transforms.ts',
  'shared/scope/thread-pattern.ts',
  'shared/scope/time-range.ts',
  'shared/summary/summary.ts',
  'shared/text',
  'shared/engine/trees',
  'shared/engine/values',
  'shared/engine/views',
] as const;

/**
 * Who may import whom (docs/architecture.md): folder -> what it may import besides itself. A folder, a single file of a folder, or
 * a package. What is not in the table is not allowed.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | undefined>> = {
  shared: [],
  'shared/text': ['shared/assert.ts'],
  'shared/agent': [],
  'shared/read': ['shared/aggregate', 'shared/profile'],
  'shared/read/unpack': ['fflate', 'shared/read'],
  'shared/input': [
    'shared/read',
    'shared/aggregate',
    'shared/facts',
    'shared/formats',
    'shared/text/format-value.ts',
  ],
  'shared/profile': ['shared/assert.ts'],
  'shared/aggregate': ['shared/assert.ts', 'shared/profile'],
  'shared/facts': ['shared/profile', 'shared/text'],
  'shared/page': ['zod', 'shared/delta', 'shared/facts', 'shared/profile', 'shared/protocol/transport.ts'],
  'shared/formats': [
    'fflate',
    'js-yaml',
    'shared/formats/jfr/chunk',
    'shared/formats/jfr/events',
    'shared/formats/jfr/facts',
    'shared/delta',
    'shared/page',
    'shared/protocol/transport.ts',
    'shared/assert.ts',
    'shared/read',
    'shared/aggregate',
    'shared/facts',
    'shared/profile',
    'shared/text',
  ],
  'shared/formats/jfr/chunk': ['shared/aggregate', 'shared/profile', 'shared/read', 'shared/text'],
  'shared/formats/jfr/events': [
    'shared/aggregate',
    'shared/facts',
    'shared/formats/jfr/chunk',
    'shared/profile',
    'shared/text',
  ],
  'shared/formats/jfr/facts': [
    'shared/facts',
    'shared/formats/jfr/chunk',
    'shared/formats/jfr/events',
    'shared/formats/repeated-times.ts',
    'shared/profile',
    'shared/text',
  ],
  'shared/delta': ['shared/assert.ts', 'shared/aggregate', 'shared/profile'],
  'shared/merge': ['shared/facts', 'shared/profile', 'shared/text'],
  'shared/engine/trees': ['shared/profile', 'shared/text'],
  'shared/engine/values': ['shared/profile', 'shared/engine/trees'],
  'shared/scope': [
    'shared/assert.ts',
    'shared/profile',
    'shared/text',
    'shared/engine/trees',
    'shared/engine/values',
  ],
  'shared/engine/contexts': ['shared/profile', 'shared/scope', 'shared/text', 'shared/engine/values'],
  'shared/engine/comparison': [
    'shared/assert.ts',
    'shared/profile',
    'shared/scope',
    'shared/text',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  'shared/findings': [
    'shared/profile',
    'shared/facts',
    'shared/text',
    'shared/scope/time-range.ts',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  'shared/engine': [
    'shared/assert.ts',
    'shared/engine/comparison',
    'shared/engine/contexts',
    'shared/profile',
    'shared/scope',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  'shared/summary': [
    'shared/profile',
    'shared/facts',
    'shared/findings',
    'shared/scope',
    'shared/text',
    'shared/engine',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  'shared/engine/columns': ['shared/profile', 'shared/engine/trees', 'shared/engine/values', 'shared/text'],
  'shared/engine/views': [
    'shared/assert.ts',
    'shared/profile',
    'shared/engine/columns',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/text',
  ],
  'shared/draw': ['shared/engine/values', 'shared/text', 'shared/engine/views'],
  'shared/export': [
    'fflate',
    'shared/assert.ts',
    'shared/engine',
    'shared/page',
    'shared/engine/columns',
    'shared/engine/comparison',
    'shared/draw',
    'shared/facts',
    'shared/findings',
    'shared/scope',
    'shared/summary',
    'shared/formats/hprof/records.ts',
    'shared/formats/stack-frame.ts',
    'shared/formats/tptp/messages.ts',
    'shared/engine/views',
    'shared/engine/values',
    'shared/engine/trees',
    'shared/profile',
    'shared/text',
  ],
  'shared/answers': [
    'zod',
    'shared/engine',
    'shared/engine/comparison',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
    'shared/export',
    'shared/facts',
    'shared/profile',
    'shared/scope',
    'shared/text',
  ],
  'shared/protocol': ['zod', 'shared/agent', 'shared/facts', 'shared/findings/finding.ts'],

  'electron/source': [
    'node:',
    'shared/assert.ts',
    'shared/facts/choice.ts',
    'shared/input/read-source.ts',
    'shared/read',
    'shared/formats/tptp/negotiation.ts',
  ],
  'electron/jvm': ['node:', 'electron/source', 'shared/agent', 'shared/text/java-version.ts'],
  'electron/recording': [
    'node:',
    'electron/jvm',
    'electron/source',
    'shared/facts/choice.ts',
    'shared/facts/recording-choice.ts',
    'shared/formats/thread-dump',
    'shared/scope/thread-pattern.ts',
    'shared/text/error-message.ts',
    'shared/text/java-version.ts',
    'shared/text/thread-pools.ts',
  ],
  'electron/source-code': [
    'node:',
    'electron/source/open-file.ts',
    'shared/text/java-version.ts',
    'shared/read/unpack',
  ],
  'electron/worker': [
    'node:',
    'electron/fleet/fleet-address.ts',
    'electron/fleet/fleet-log.ts',
    'electron/source',
    'shared/assert.ts',
    'shared/aggregate',
    'shared/delta',
    'shared/facts',
    'shared/formats',
    'shared/input',
    'shared/profile',
    'shared/protocol',
    'shared/text',
  ],
  'electron/host/jvms': [
    'node:',
    'electron/jvm',
    'electron/recording',
    'electron/source',
    'electron/worker/worker-messages.ts',
    'shared/agent',
    'shared/protocol',
    'shared/text/printable.ts',
  ],
  'electron/host': [
    'node:',
    'zod',
    'electron/fleet/fleet-address.ts',
    'electron/host/jvms',
    'electron/jvm',
    'electron/recording',
    'electron/source',
    'electron/source-code',
    'electron/worker/worker-messages.ts',
    'shared/agent',
    'shared/assert.ts',
    'shared/facts',
    'shared/findings',
    'shared/formats/formats.ts',
    'shared/protocol',
    'shared/text/error-message.ts',
    'shared/text/printable.ts',
  ],
  'electron/headless': ['node:', 'ws', 'electron/host', 'shared/assert.ts', 'shared/protocol'],
  'electron/fleet': [
    'node:',
    'electron/source',
    '@clickhouse/client',
    '@duckdb/node-api',
    'hyparquet-writer',
    'shared/aggregate',
    'shared/facts',
    'shared/formats/named-frames.ts',
    'shared/input/read-source.ts',
    'shared/profile',
    'shared/text',
    'shared/page',
    'shared/engine/values',
  ],
  'electron/cli/options': [
    'node:',
    'electron/fleet/fleet-address.ts',
    'electron/runtime/command-names.ts',
    'shared/answers/timeline.ts',
    'shared/engine',
    'shared/export',
    'shared/facts',
    'shared/findings/check-list.ts',
    'shared/formats/jfr/scrub.ts',
    'shared/scope',
    'shared/text',
  ],
  'electron/cli/io': [
    'node:',
    'electron/cli/options/usage-error.ts',
    'electron/fleet/fleet-address.ts',
    'electron/jvm',
    'electron/recording/recording-name.ts',
    'electron/source',
    'shared/export/export-input.ts',
    'shared/protocol/messages.ts',
    'shared/text',
  ],
  'electron/cli': [
    'node:',
    'electron/cli/io',
    'electron/cli/options',
    'electron/fleet',
    'electron/jvm',
    'electron/recording',
    'electron/source',
    'electron/host',
    'electron/headless',
    'electron/runtime',
    'zod',
    '@modelcontextprotocol/sdk/server/mcp.js',
    '@modelcontextprotocol/sdk/server/stdio.js',
    'electron/source-code/editor.ts',
    'electron/source-code/source-names.ts',
    'shared/agent',
    'shared/assert.ts',
    'shared/aggregate',
    'shared/answers',
    'shared/engine',
    'shared/export',
    'shared/facts',
    'shared/findings',
    'shared/formats',
    'shared/delta',
    'shared/input',
    'shared/merge',
    'shared/profile',
    'shared/protocol/messages.ts',
    'shared/read/protobuf.ts',
    'shared/scope',
    'shared/summary',
    'shared/text',
  ],
  'electron/runtime': ['node:'],
  'electron/desktop': [
    'zod',
    'electron/fleet/fleet-address.ts',
    'node:',
    'electron',
    'electron/host',
    'electron/jvm/platform.ts',
    'electron/runtime',
    'shared/assert.ts',
    'shared/facts/choice.ts',
    'shared/findings/finding.ts',
    'shared/formats/formats.ts',
    'shared/protocol',
    'shared/text',
  ],

  electron: ['electron/cli', 'electron/desktop'],

  'renderer/connection': [
    'renderer/mirror-worker.ts',
    'shared/assert.ts',
    'shared/facts/log-facts.ts',
    'shared/page',
    'shared/protocol',
    'shared/text/format-value.ts',
  ],
  'renderer/page': [
    'react',
    'react-dom',
    'renderer/connection',
    'renderer/profile-worker',
    'renderer/shell',
    'renderer/store',
    'renderer/theme',
    'shared/assert.ts',
  ],
  'renderer/profile-worker': [
    'shared/answers/operations.ts',
    'shared/answers/schemas.ts',
    'shared/engine',
    'shared/assert.ts',
    'shared/aggregate',
    'shared/delta',
    'shared/export',
    'shared/facts',
    'shared/findings',
    'shared/formats',
    'shared/input',
    'shared/profile',
    'shared/protocol',
    'shared/scope',
    'shared/summary',
    'shared/text',
    'shared/read/unpack',
  ],
  'renderer/store/panes': BELOW_THE_STORE,
  'renderer/store/state': ['zod/mini', 'zustand', 'renderer/store/panes', ...BELOW_THE_STORE],
  'renderer/store/events': ['renderer/store/panes', 'renderer/store/state', ...BELOW_THE_STORE],
  'renderer/store/mirrors': ['renderer/store/panes', 'renderer/store/state', ...BELOW_THE_STORE],
  'renderer/store/actions': [
    'renderer/store/events',
    'renderer/store/panes',
    'renderer/store/state',
    ...BELOW_THE_STORE,
  ],
  'renderer/store/links': [
    'zod/mini',
    'renderer/store/actions',
    'renderer/store/events',
    'renderer/store/panes',
    'renderer/store/state',
    ...BELOW_THE_STORE,
  ],
  'renderer/store': ['renderer/store', ...BELOW_THE_STORE],
  'renderer/theme': [],
  'renderer/widgets': ['react', 'react-dom'],
  'renderer/panes': [
    'react',
    'react-dom',
    'd3-flame-graph',
    'd3-selection',
    'd3-timer',
    'renderer/store',
    'renderer/widgets',
    'renderer/profile-worker/mirror-messages.ts',
    'renderer/profile-worker/pane-messages.ts',
    'renderer/profile-worker/pane-specs.ts',
    'shared/answers/operations.ts',
    'shared/scope/context-condition.ts',
    'shared/engine/query.ts',
    'shared/assert.ts',
    'shared/engine/columns',
    'shared/engine/comparison',
    'shared/draw',
    'shared/facts/choice.ts',
    'shared/facts/measured-series.ts',
    'shared/profile/profile-units.ts',
    'shared/protocol/source-messages.ts',
    'shared/scope/parts-of-time.ts',
    'shared/scope/scope.ts',
    'shared/scope/transform-list.ts',
    'shared/scope/transforms.ts',
    'shared/scope/time-range.ts',
    'shared/scope/thread-pattern.ts',
    'shared/findings/finding.ts',
    'shared/summary',
    'shared/text',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  'renderer/shell': [
    'react',
    'react-dom',
    'assets',
    'renderer/connection',
    'renderer/panes',
    'renderer/store',
    'renderer/widgets',
    'renderer/profile-worker/mirror-messages.ts',
    'renderer/profile-worker/pane-messages.ts',
    'renderer/profile-worker/pane-specs.ts',
    'shared/agent',
    'shared/assert.ts',
    'shared/export/compare-list.ts',
    'shared/export/export-formats.ts',
    'shared/export/page-options.ts',
    'shared/facts',
    'shared/profile/profile-units.ts',
    'shared/read/tar-header.ts',
    'shared/protocol',
    'shared/scope/context-condition.ts',
    'shared/scope/scope.ts',
    'shared/scope/transform-list.ts',
    'shared/scope/transforms.ts',
    'shared/scope/time-range.ts',
    'shared/scope/thread-pattern.ts',
    'shared/text',
    'shared/engine/columns',
    'shared/engine/trees',
    'shared/engine/values',
    'shared/engine/views',
  ],
  renderer: [
    'react',
    'react-dom',
    'renderer/connection',
    'renderer/profile-worker',
    'renderer/panes',
    'renderer/shell',
    'renderer/store',
    'renderer/theme',
    'renderer/widgets',
    'shared',
  ],
};

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
