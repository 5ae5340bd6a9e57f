import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests of modules that need nothing of the system. */
const PURE = ['shared', 'renderer', 'registries'].map((folder) => `test/${folder}/**/*.test.{ts,tsx}`);

/** Tests that replace a module, which others need as it is: each has its modules for itself. */
const REPLACING = readdirSync('test/electron', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test/electron', path))
  .filter((path) => readFileSync(path, 'utf8').includes('vi.mock('));

/** Servers that tests start keep their settings here: a developer's own list of recent files stays as it is. */
const settings = mkdtempSync(join(tmpdir(), 'leanscope-settings-'));
process.on('exit', () => rmSync(settings, { recursive: true, force: true }));

export default defineConfig({
  test: {
    env: { XDG_CONFIG_HOME: settings },
    // Two more than there are processors: a test with a browser or a JVM waits for a third of its time.
    maxWorkers: availableParallelism() + 2,
    // Far more than any takes: only one that hangs fails by it, on a busy machine, too.
    testTimeout: 240_000,
    // Vitest would give up after a second, which a busy machine may need.
    expect: { poll: { timeout: 45_000 } },
    hookTimeout: 240_000,
    // Vitest starts projects in the order of their names: the longest files first, so that all workers end together.
    projects: [
      {
        extends: true,
        // A test is a walk of many steps, each of which has its own limit.
        // One that fails is walked once more; test/run.mjs prints those that failed only once, so that they are mended.
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          isolate: false,
          testTimeout: 180_000,
          retry: 1,
        },
      },
      {
        extends: true,
        // Not with PURE, because some tests replace Electron.
        test: {
          name: 'electron',
          include: ['test/{electron,packaging,bench,support}/**/*.test.ts'],
          exclude: REPLACING,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: REPLACING },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          // Each file in a process of its own: one that has held large profiles could not start programs any more.
          include: [...PURE, 'test/{laws,golden,rules}/**/*.test.ts', 'test/static-checks.test.ts'],
        },
      },
    ],
  },
});
