/**
 * `npm run test:long`: the random tests below as in `npm test`, but with up to a hundred times as many cases, or larger
 * ones (test/support/test-size.ts): the largest recorded log, and the largest trees that the reference computed, are among
 * them only here. Some tests use each JDK, and each painter for large flame graphs, only here. `SEED=n` repeats a run.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../electron/setup/paths.mjs';
import { prepare } from '../electron/setup/prepare.mjs';

prepare();
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'log-tailer.model.test',
    'unseen-files.test',
    'preallocated-log.test',
    'kills.test',
    'suspended-page.test',
    'page-memory.test',
    'trace-listener.test',
    'laws/scope.test',
    'laws/compare.test',
    'laws/method-lines.test',
    'laws/aggregate.test',
    'laws/damage.test',
    'laws/merge.test',
    'laws/bottom-up.test',
    'laws/bottom-up-zoom.test',
    'laws/views.test',
    'chart-layout.test',
    'laws/growing-views.test',
    'laws/delta.test',
    'known-stacks.test',
    'text/expression.test',
    'laws/time-range.test',
    'laws/recorded-logs.test',
    'golden/called.test',
    'headless/access.test',
    'recorded-counts.test',
    'container.test',
    'mac-real-jvm.test',
    'flame-colours.test',
    'tptp-calls.test',
    'zip-open.test',
    'machine-files.test',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, LEANSCOPE_LONG: '1' } },
);
process.exitCode = status ?? 1;
