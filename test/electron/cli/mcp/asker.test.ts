import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Asker } from '../../../../electron/cli/mcp/asker.ts';
import { useBuiltWorker } from '../../../support/built-worker.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const BUDGET_MS = 45_000;

// Only the time of questions is made: threads have their own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const answering = useBuiltWorker('electron/cli/mcp/mcp-worker.ts');

/** A thread that answers with its handles, but for a question that never ends and one that breaks it. */
const BUSY = `
import { parentPort, workerData } from 'node:worker_threads';
let { opened } = workerData;
parentPort.on('message', ({ name }) => {
  while (name === 'endless');
  if (name === 'broken') throw new Error('out of luck');
  if (name === 'open') opened = [{ handle: 'app', path: '/app', chosen: {} }];
  parentPort.postMessage({ reply: { text: opened.map(({ handle }) => handle).join() }, opened });
});
`;

function asker(budgetMs: number, program?: URL): Asker {
  const made = new Asker(program ?? answering(), { files: [], folders: [] }, budgetMs);
  onTestFinished(async () => made.close());
  return made;
}

test.each(['endless', 'broken'])(
  'after a question that is %s the next is answered, with the same handles',
  async (name) => {
    const path = join(temporaryFolder(), 'busy.mjs');
    writeFileSync(path, BUSY);
    const busy = asker(BUDGET_MS, pathToFileURL(path));
    expect(await busy.ask({ name: 'open', args: {} })).toEqual({ text: 'app' });
    const asked = busy.ask({ name, args: {} });
    const next = busy.ask({ name: 'next', args: {} });
    // The question is with its thread then.
    await new Promise((begun) => void setImmediate(begun));
    if (name === 'endless') vi.advanceTimersByTime(BUDGET_MS);
    const [cut, after] = await Promise.all([asked, next]);
    expect(cut.isError).toBe(true);
    expect(cut.text).toMatch(
      name === 'endless'
        ? /^cut after 45 s: nothing was answered, handles stay valid/
        : /\(out of luck\); handles stay valid/,
    );
    expect(after).toEqual({ text: 'app' });
  },
);

test('a question that is cancelled ends its thread', async () => {
  const path = join(temporaryFolder(), 'busy.mjs');
  writeFileSync(path, BUSY);
  const busy = asker(600_000, pathToFileURL(path));
  await busy.ask({ name: 'open', args: {} });
  const cancel = new AbortController();
  const asked = busy.ask({ name: 'endless', args: {} }, cancel.signal);
  // The question is with its thread then.
  await new Promise((begun) => void setImmediate(begun));
  cancel.abort();
  expect(await asked).toEqual({ text: 'cancelled', isError: true });
  expect(await busy.ask({ name: 'next', args: {} })).toEqual({ text: 'app' });
});

test('the thread of the program answers', async () => {
  const made = asker(60_000);
  expect(await made.ask({ name: 'open', args: { path: '/nowhere' } })).toEqual({
    text: '/nowhere: is not there or may not be read; allowed: none',
    isError: true,
  });
});
