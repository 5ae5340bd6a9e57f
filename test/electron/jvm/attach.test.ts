import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import type * as ProcessFiles from '../../../electron/jvm/process-places.ts';
import { NO_FAKE_HOTSPOT, startFakeHotSpot } from '../../support/fake-hotspot.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testUnless } from '../../support/test-unless.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Called when a JVM is looked at immediately before the signal. */
const looked = vi.hoisted(() => ({ callback: undefined as (() => void) | undefined }));

vi.mock('../../../electron/jvm/process-places.ts', async (importActual) => {
  const actual = await importActual<typeof ProcessFiles>();
  const processStatus: typeof actual.processStatus = (pid) => {
    looked.callback?.();
    return actual.processStatus(pid);
  };
  return { ...actual, processStatus };
});

const OPENS = 'push @keep, IO::Socket::UNIX->new(Local => $S, Listen => 1);';
const NOBODY = 65_534;

/** Signals that are sent. */
function countSignals(): () => number {
  const kill = vi.spyOn(process, 'kill');
  onTestFinished(() => kill.mockRestore());
  return () => kill.mock.calls.filter(([, signal]) => signal === 'SIGQUIT').length;
}

testUnless(NO_FAKE_HOTSPOT)('two that attach to a JVM at once send it one signal', async () => {
  const { jvm } = await startFakeHotSpot(OPENS);
  const signals = countSignals();
  await Promise.all([AttachedJvm.open(jvm), AttachedJvm.open(jvm)]);
  await AttachedJvm.open(jvm);
  expect(signals()).toBe(1);
});

testUnless(NO_FAKE_HOTSPOT)(
  'a JVM that another program attaches to meanwhile is sent no signal',
  async () => {
    const { jvm, socket } = await startFakeHotSpot('');
    const made = join(temporaryFolder(), 'socket');
    const server = createServer();
    await new Promise<void>((done) => server.listen(made, done));
    onTestFinished(() => void server.close());
    looked.callback = () => renameSync(made, socket);
    onTestFinished(() => (looked.callback = undefined));
    const signals = countSignals();
    await AttachedJvm.open(jvm);
    expect(signals()).toBe(0);
  },
);

testUnless(NO_FAKE_HOTSPOT ?? (process.geteuid?.() === 0 ? undefined : 'it needs root'))(
  'the request of root to a JVM of another user belongs to that user, whose JVM may heed no other',
  async () => {
    const { jvm, output } = await startFakeHotSpot(`print((stat $R)[4], "\\n"); ${OPENS}`, NOBODY);
    await AttachedJvm.open(jvm);
    // What it has printed arrives when it likes.
    await waitFor(() => output().split('\n').length > 2, 'the owner of the request');
    expect(output()).toBe(`ready\n${NOBODY}\n`);
  },
);
