import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { AttachedJvm } from '../../../electron/jvm/attach.ts';
import { SAMPLE_TYPES } from '../../../shared/formats/jfr/events/sample-types.ts';
import { RECORDED_TYPES } from '../../../shared/facts/recording-choice.ts';
import type { LogId } from '../../../shared/protocol/messages.ts';
import { EMPTY_STACK_NAME } from '../../../shared/text/pseudo-frames.ts';
import { useLogWorker } from '../../support/built-worker.ts';
import { type PrintedEvent, printedEvents, summaryOf } from '../../support/jdk-jfr.ts';
import {
  attachedBy,
  connectToJvms,
  entryOf,
  progressOf,
  samplesOf,
  waitFor,
} from '../../support/jvm-client.ts';
import { listedJvm, recorderOf } from '../../support/listed-jvm.ts';
import { differingLines, foldedLines, methodText, stacksOf } from '../../support/profile-stacks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestClient } from '../../support/test-client.ts';
import { CHOSEN_JDKS, NO_JVM, RECORDED_JDKS, startJvm } from '../../support/test-jvm.ts';
import { testSize } from '../../support/test-size.ts';
import { testUnless } from '../../support/test-unless.ts';

const workerUrl = useLogWorker();

/** Events of the sample type that is shown which have no stack trace, and are said to be not counted. */
function withoutStack(client: TestClient, log: LogId): number {
  const counts = client.statuses
    .get(log)!
    .notes.map((note) =>
      /^([\d,]+) samples? not counted\. They have no stack trace/.exec(note)?.[1].replaceAll(',', ''),
    );
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

/** Event -> how many of them a log has read. */
function eventsOf(client: TestClient, log: LogId): ReadonlyMap<string, number> {
  const rows = client.statuses.get(log)?.tables.find(({ title }) => title === 'Events')?.rows ?? [];
  return new Map(rows.map(([event, count]) => [String(event), Number(count)]));
}

const hasEnded = (client: TestClient, log: LogId): boolean => client.statuses.get(log)?.state === 'ended';

/** A frame of native or generated code has no line. The JDK writes names as class files do. */
function frameText(method: string, line: number, bci: number): string {
  return `${method.replaceAll('/', '.')}${line < 0 ? '' : `:${line}@${bci}`}`;
}

/** Thread, frames from the root, and how often: as text, sorted. */
function linesOf(events: readonly PrintedEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { values } of events) {
    if (values.stackTrace === null) continue;
    const thread = values.sampledThread ?? values.eventThread;
    const frames = values.stackTrace.frames.map(({ method, lineNumber, bytecodeIndex }) =>
      frameText(`${method.type.name}.${method.name}`, lineNumber, bytecodeIndex),
    );
    // A stack without frames is shown as such.
    if (frames.length === 0) frames.push(EMPTY_STACK_NAME);
    const line = [thread?.javaName ?? thread?.osName, ...frames.reverse()].join(';');
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return Array.from(counts, ([line, count]) => `${line} ${count}`).sort();
}

for (const { major, home } of RECORDED_JDKS)
  testUnless(NO_JVM)(
    `JDK ${major}: what a window has read of a growing recording is what the JDK reads of the finished one, in all sample types`,
    async () => {
      const { pid } = await startJvm({ home, main: 'Events' });
      const { client } = await connectToJvms(workerUrl());
      const { id } = await entryOf(client, pid);
      const types = RECORDED_TYPES.filter((type) => type !== 'cpu-time' || major >= 25);
      const log = await attachedBy(client, {
        type: 'attachJvm',
        jvm: id,
        always: false,
        settings: 'profile',
        types,
      });
      const copy = client.subscribe(log);
      const wanted = new Set(['cpu', 'alloc', 'lock', 'wait', 'sleep', ...(major >= 25 ? ['cpu-time'] : [])]);
      const shown = SAMPLE_TYPES.filter(({ id: type }) => wanted.has(type));
      const isThere = (type: (typeof shown)[number]): boolean =>
        [...type.events.keys()].some((event) => (eventsOf(client, log).get(event) ?? 0) > 0);
      await waitFor(() => shown.every(isThere), 'events of all sample types');
      const flushed = samplesOf(client, log);
      await waitFor(() => samplesOf(client, log) > flushed, 'another flush');

      // The JVM writes the whole recording to a file, which Leanscope does not touch.
      const recorder = await recorderOf(pid);
      const file = join(temporaryFolder(), 'whole.jfr');
      await recorder.stopTo((await recorder.list())[0].name, file);
      await waitFor(() => hasEnded(client, log), 'the end of the recording');
      const summary = summaryOf(home, file);
      const printed = printedEvents(home, file, [
        ...new Set(shown.flatMap(({ events }) => [...events.keys()])),
      ]);
      for (const { id: type, events } of shown) {
        const epoch = client.statuses.get(log)!.epoch;
        client.send({
          type: 'choose',
          log,
          chosen: { 'sample-type': type, cut: 'off', classes: 'off' },
        });
        await waitFor(() => client.statuses.get(log)!.epoch > epoch && hasEnded(client, log), type);
        await waitFor(
          () => copy.epoch === client.statuses.get(log)!.epoch && copy.complete,
          `${type}, shown`,
        );
        const read = eventsOf(client, log);
        for (const event of events.keys())
          expect([event, read.get(event) ?? 0]).toEqual([event, summary.get(event) ?? 0]);
        const expected = printed.filter((event) => events.has(event.type));
        const found = foldedLines(stacksOf(copy.profile), ({ thread, frames }) =>
          [thread, ...frames.map((each) => frameText(methodText(each), each.line, each.bci))].join(';'),
        );
        expect(differingLines(found, linesOf(expected)), type).toEqual([]);
        expect(samplesOf(client, log), type).toBe(
          expected.filter(({ values }) => values.stackTrace !== null).length,
        );
      }
    },
  );

for (const { major, home } of CHOSEN_JDKS)
  testUnless(NO_JVM)(
    `JDK ${major}: chunks of 1 MB, two windows that follow one recording: nothing is lost or read twice`,
    async () => {
      // Small buffers of threads are many samples of allocations: a chunk is soon full.
      const jvm = [
        '-XX:FlightRecorderOptions=maxchunksize=1M',
        '-XX:TLABSize=2k',
        '-XX:-ResizeTLAB',
        '-Xmx64m',
      ];
      const { pid } = await startJvm({
        home,
        main: 'Events',
        jvm,
        program: testSize(['2', '1'], ['30', '0']),
      });
      const recorder = await recorderOf(pid);
      const events = ['jdk.ObjectAllocationSample#throttle=off'];
      await recorder.start('theirs', { settings: 'profile', flushes: true, maxMegabytes: 250, events });
      // It keeps the chunks, however late the last one is looked at, and has no events of its own.
      await (await AttachedJvm.open(listedJvm(pid))).jcmd('JFR.start name=keeper settings=none');
      const recording = (await recorder.list()).find(({ name }) => name === 'theirs')!.id;
      const followers = await Promise.all(
        [0, 1].map(async () => {
          const { client } = await connectToJvms(workerUrl());
          const { id } = await entryOf(client, pid);
          const log = await attachedBy(client, { type: 'followRecording', jvm: id, recording });
          expect(progressOf(client).at(-1)?.state).toBe('attached');
          return { client, log };
        }),
      );
      const repository = await recorder.repository();
      await waitFor(() => readdirSync(repository).length > 2, 'the third chunk');
      const file = join(temporaryFolder(), 'whole.jfr');
      await recorder.stopTo('theirs', file);
      const summary = summaryOf(home, file);
      const count = (event: string): number => summary.get(event) ?? 0;
      const samples = count('jdk.ExecutionSample') + count('jdk.NativeMethodSample');
      expect(samples).toBeGreaterThan(0);
      for (const { client, log } of followers) {
        await waitFor(() => hasEnded(client, log), 'the end of the recording');
        const read = eventsOf(client, log);
        for (const event of SAMPLE_TYPES.flatMap((type) => [...type.events.keys()]))
          expect([event, read.get(event) ?? 0]).toEqual([event, count(event)]);
        expect(samplesOf(client, log) + withoutStack(client, log)).toBe(samples);
        expect(client.statuses.get(log)!.notes.join()).not.toContain('missing');
      }
    },
  );
