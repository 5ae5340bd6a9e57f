import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogSession } from '../../../electron/worker/log-session.ts';
import { MergedSession } from '../../../electron/worker/merged-session.ts';
import { sampleTypeChoice } from '../../../shared/facts/choice.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { goldenLog } from '../../support/read-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Sessions of these files and one that merges them, connected as the host connects them. */
function mergeFiles(
  files: readonly string[],
  mostNodes: number,
): {
  readonly merged: MergedSession;
  readonly sessions: readonly LogSession[];
  /** The sample type that is chosen after each status of a log; undefined: there was none to choose. */
  readonly chosen: (string | undefined)[];
  readonly pass: (ms: number) => Promise<void>;
} {
  const chosen: (string | undefined)[] = [];
  const clocks = [new ManualClock(), ...files.map(() => new ManualClock())];
  const sessions: LogSession[] = [];
  const merged = new MergedSession({
    merge: files,
    threads: 'groups',
    mostNodes,
    clock: clocks[0],
    post: (event) => {
      queueMicrotask(() => {
        if (event.type === 'subscribePart')
          sessions[event.part].receive({ type: 'subscribe', subscriber: event.turn, samples: true });
        else if (event.type === 'ackPart')
          sessions[event.part].receive({ ...event, type: 'ack', subscriber: event.turn });
      });
    },
  });
  for (const [part, path] of files.entries()) {
    const session = new LogSession({
      path,
      follow: true,
      clock: clocks[part + 1],
      post: (event) => {
        if (event.type === 'status') {
          merged.receive({ type: 'partStatus', part, status: event.status });
          chosen.push(sampleTypeChoice(merged.status.choices)?.chosen);
        } else if (event.type === 'delta')
          merged.receive({ type: 'partDelta', part, turn: event.subscriber, message: event.message });
      },
    });
    sessions.push(session);
  }
  const runs = [merged, ...sessions].map((session) => session.run());
  onTestFinished(async () => {
    for (const session of [merged, ...sessions]) session.receive({ type: 'stop' });
    for (const clock of clocks) clock.release();
    await Promise.all(runs);
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) for (const clock of clocks) await clock.pass(100);
  };
  return { merged, sessions, chosen, pass };
}

test('merged logs that are full begin anew when one of them does', async () => {
  const folder = temporaryFolder();
  const files = ['a.hpl', 'b.hpl'].map((name) => join(folder, name));
  const [small, large] = [goldenLog('hello'), goldenLog('threads')];
  writeFileSync(files[0], small);
  writeFileSync(files[1], large);
  const { merged, pass } = mergeFiles(files, 1_000);
  await pass(3_000);
  expect(merged.status.state).toBe('full');
  const { samples } = merged.status;
  writeFileSync(files[1], small);
  await pass(5_000);
  expect([merged.status.state, merged.status.restart?.log]).toEqual(['idle', files[1]]);
  expect(merged.status.samples).toBeLessThan(samples);
  expect(merged.status.epoch).toBe(1);
});

test('sample types can be chosen also while logs are read again for another one', async () => {
  const folder = temporaryFolder();
  const files = ['a.jfr', 'b.jfr'].map((name) => join(folder, name));
  for (const file of files) copyFileSync('test/golden/jfr/shop-jdk17.jfr.gz', file);
  const { merged, sessions, chosen, pass } = mergeFiles(files, 1_000_000);
  await pass(3_000);
  expect(chosen.at(-1)).toBe('cpu');
  const { samples } = merged.status;
  chosen.length = 0;
  for (const session of sessions) session.receive({ type: 'choose', chosen: { 'sample-type': 'lock' } });
  await pass(3_000);
  expect(new Set(chosen)).toEqual(new Set(['cpu', '', 'lock']));
  expect([chosen.at(-1), merged.status.samples === samples]).toEqual(['lock', false]);
  // One that has no sample types any more has none to choose.
  writeFileSync(files[0], goldenLog('hello'));
  await pass(5_000);
  expect(sampleTypeChoice(merged.status.choices)).toBeUndefined();
});
