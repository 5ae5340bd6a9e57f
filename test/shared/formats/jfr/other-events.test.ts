import { expect, test } from 'vitest';
import type { Chosen } from '../../../../shared/facts/choice.ts';
import { MOST_THREAD_ROWS } from '../../../../shared/facts/format-facts.ts';
import { JFR } from '../../../../shared/formats/jfr/format.ts';
import { periodOf } from '../../../../shared/formats/jfr/facts/recorded-settings.ts';
import { threadKey } from '../../../../shared/engine/trees/keys.ts';
import type { ThreadGrouping } from '../../../../shared/engine/trees/grouping.ts';
import { isSampled } from '../../../../shared/profile/profile-units.ts';
import { JfrChunk } from '../../../support/jfr-writer/jfr-chunk.ts';
import type { WrittenFrame } from '../../../support/jfr-writer/jfr-chunk.ts';
import type { EventName } from '../../../support/jfr-writer/jfr-types.ts';
import { foldedLines, methodText, stacksOf } from '../../../support/profile-stacks.ts';
import { decodeInput, type ReadInput } from '../../../support/read-input.ts';
import { cpuChunk } from '../../../support/small-recordings.ts';

// Events that Leanscope knows only by what the recording says of them; and settings of the recording.

const read = (chunks: readonly Uint8Array[], chosen: Chosen = {}): ReadInput =>
  decodeInput(JFR, Buffer.concat(chunks), chosen);

function lines({ profile }: ReadInput, weight: 'count' | 'value' = 'count'): string[] {
  return foldedLines(
    stacksOf(profile),
    ({ thread, frames }) => [thread, ...frames.map(methodText)].join(';'),
    weight,
  );
}

function options({ decoder }: ReadInput): readonly string[] {
  const choice = decoder.facts().choices.find(({ id }) => id === 'sample-type');
  return choice?.kind === 'one'
    ? choice.options.map(({ value, text }) => `${value === choice.chosen ? '* ' : ''}${text}`)
    : [];
}

/** Samples of a foreign profiler, and settings, which have the field of a stack trace without one. */
function foreign(): Uint8Array {
  const chunk = new JfrChunk([
    'jdk.ActiveSetting',
    'datadog.MethodSample',
    'datadog.ObjectSample',
    'shop.Order',
  ]);
  chunk.setting('datadog.MethodSample', 'enabled', 'true');
  const main = chunk.thread('main', 1);
  const run = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const state = chunk.state('STATE_RUNNABLE');
  chunk.event('datadog.MethodSample', 2_000, main, run, state, 1);
  chunk.event('datadog.MethodSample', 2_100, main, run, state, 41);
  chunk.eventWithFloat('datadog.ObjectSample', [2_200, main, run, chunk.class('[B'), 100], 2.5);
  chunk.event('shop.Order', 2_300, 1_500, main, run);
  return chunk.finish();
}

test('any event type with a stack trace is a sample type, named by its label, weighed by its fields', () => {
  const samples = read([foreign()]);
  expect(options(samples)).toEqual(['* Method Wall Profiling Sample', 'Allocation sample', 'Order']);
  expect(lines(samples)).toEqual(['main;Shop.run 42']);
  const allocations = read([foreign()], { 'sample-type': 'datadog.ObjectSample', classes: 'on' });
  expect(lines(allocations)).toEqual(['main;Shop.run;byte[] 3']);
  expect(lines(allocations, 'value')).toEqual(['main;Shop.run;byte[] 250']);
  expect(allocations.decoder.facts().units.value).toEqual({ name: 'size', unit: 'bytes' });
  const orders = read([foreign()], { 'sample-type': 'shop.Order' });
  expect(lines(orders, 'value')).toEqual(['main;Shop.run 1500']);
  expect(orders.decoder.facts().units.value).toEqual({ name: 'duration', unit: 'ns' });
});

test('another sample type is shown although all its events come after execution samples', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'shop.Order']);
  const main = chunk.thread('main', 1);
  const run = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  chunk.event('jdk.ExecutionSample', 2_000, main, run, chunk.state('STATE_RUNNABLE'));
  chunk.event('shop.Order', 2_300, 1_500, main, run);
  const recording = [chunk.finish()];
  expect(options(read(recording))).toEqual(['* Execution samples', 'Order']);
  const orders = read(recording, { 'sample-type': 'shop.Order' });
  expect(options(orders)).toEqual(['Execution samples', '* Order']);
  expect(lines(orders, 'value')).toEqual(['main;Shop.run 1500']);
});

test('threads without a name stay apart by their ids', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const run = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const state = chunk.state('STATE_RUNNABLE');
  for (const id of [41, 42, 42]) chunk.event('jdk.ExecutionSample', 2_000, chunk.thread('', id), run, state);
  chunk.event('jdk.ExecutionSample', 2_000, chunk.thread('main', 1), run, state);
  const { profile } = read([chunk.finish()]);
  const by = (grouping: ThreadGrouping): readonly string[] =>
    Array.from({ length: profile.threads.length }, (_, thread) => threadKey(profile, thread, grouping));
  expect(by('id')).toEqual(['Unknown <41>', 'Unknown <42>', 'main <1>']);
  expect(by('name')).toEqual(['Unknown Thread(s)', 'Unknown Thread(s)', 'main']);
});

test('a renamed thread has the name of the last chunk that lists it, for each sample type', () => {
  const chunkOf = (name: string, event: 'jdk.ExecutionSample' | 'shop.Order' | undefined): Uint8Array => {
    const chunk = new JfrChunk(['jdk.ExecutionSample', 'shop.Order']);
    const [thread, other] = [chunk.thread(name, 7), chunk.thread('other', 8)];
    const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
    const state = chunk.state('STATE_RUNNABLE');
    for (const of of event === undefined ? [] : [thread, other])
      if (event === 'shop.Order') chunk.event(event, 2_000, 5, of, stack);
      else chunk.event('jdk.ExecutionSample', 2_000, of, stack, state);
    return chunk.finish();
  };
  const chunks = [
    chunkOf('first', 'jdk.ExecutionSample'),
    chunkOf('second', 'shop.Order'),
    chunkOf('last', undefined),
  ];
  for (const type of ['cpu', 'shop.Order']) {
    const found = read(chunks, { 'sample-type': type });
    expect(lines(found)).toEqual(['last;Shop.run 1', 'other;Shop.run 1']);
    const threads = found.decoder.facts().tables.find(({ title }) => title === 'Threads');
    expect(threads?.rows.map(([name]) => name)).toEqual(type === 'cpu' ? ['other', 'last'] : undefined);
  }
});

test('threads without a row are counted once, however many chunks they have samples in', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const state = chunk.state('STATE_RUNNABLE');
  for (let thread = 1; thread <= MOST_THREAD_ROWS + 2; thread++)
    chunk.event('jdk.ExecutionSample', 2_000 + thread, chunk.thread(`t${thread}`, thread), stack, state);
  const bytes = chunk.finish();
  const threads = read([bytes, bytes])
    .decoder.facts()
    .tables.find(({ title }) => title === 'Threads');
  expect([threads?.rows.length, threads?.leftOut]).toEqual([MOST_THREAD_ROWS, 2]);
});

test('the known sample types come first', () => {
  expect(options(read([cpuChunk(), foreign()]))[0]).toBe('* Execution samples');
  expect(options(read([foreign(), cpuChunk()]))).toEqual([
    'Execution samples',
    '* Method Wall Profiling Sample',
    'Allocation sample',
    'Order',
  ]);
});

test('a recording that begins with waits only is opened with the samples that follow', () => {
  const waits = new JfrChunk(['jdk.JavaMonitorEnter']);
  const stack = waits.stack([{ method: waits.method('Shop', 'lock'), line: 3, bci: 0, type: 'Inlined' }]);
  waits.event('jdk.JavaMonitorEnter', 2_000, 1_500, waits.thread('main', 1), stack, waits.class('L'));
  const wait = waits.finish();
  const both = read([wait, foreign()]);
  expect(options(both)[1]).toBe('* Method Wall Profiling Sample');
  expect(both.decoder.bytes).toEqual({ accepted: wait.length + foreign().length, skipped: 0, pending: 0 });
  expect(options(read([wait, wait]))).toEqual(['* Locks and parking']);
  expect(lines(read([wait, wait]))).toEqual(['main;Shop.lock;L 2']);
  const { decoder } = read([wait, Buffer.from('garbage'.repeat(20))]);
  expect([decoder.bytes.accepted, decoder.damage?.byteOffset]).toEqual([wait.length, wait.length]);
});

test('samples whose stack has no frames stay in the total, and are noted', () => {
  const chunk = new JfrChunk(['jdk.ObjectAllocationSample']);
  chunk.event(
    'jdk.ObjectAllocationSample',
    2_000,
    chunk.thread('main', 1),
    chunk.stack([]),
    chunk.class('[B'),
    64,
  );
  const bytes = chunk.finish();
  expect(lines(read([bytes], { classes: 'off' }))).toEqual(['main;<empty> 1']);
  expect(lines(read([bytes]))).toEqual(['main;<empty>;byte[] 1']);
  expect(read([bytes]).decoder.facts().notes).toEqual([
    '1 sample without a stack. They are counted as <empty>.',
  ]);
});

test('the library of a native function is not its class, as in the other formats of async-profiler', () => {
  const chunk = new JfrChunk(['jdk.ExecutionSample']);
  const wait = {
    method: chunk.method('libjvm.so', 'ObjectMonitor::wait'),
    line: 0,
    bci: 0,
    type: 'Native',
  } as const;
  const read1 = { method: chunk.method('libc.so.6', 'read'), line: 0, bci: 0, type: 'Native' } as const;
  const stack = chunk.stack([read1, wait]);
  chunk.event('jdk.ExecutionSample', 2_000, chunk.thread('main', 1), stack, chunk.state('STATE_RUNNABLE'));
  expect(lines(read([chunk.finish()]))).toEqual(['main;ObjectMonitor::wait;read 1']);
});

function withPeriod(name: string, value: string): Uint8Array {
  const chunk = new JfrChunk(['jdk.ActiveSetting', 'jdk.ExecutionSample']);
  chunk.setting('jdk.ExecutionSample', name, value);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  for (const at of [2_000, 3_000])
    chunk.event('jdk.ExecutionSample', at, chunk.thread('main', 1), stack, chunk.state('STATE_RUNNABLE'));
  return chunk.finish();
}

test('the sampling period is that of the recording, unless another is chosen', () => {
  const recorded = read([withPeriod('period', '20 ms')]);
  expect(lines(recorded, 'value')).toEqual(['main;Shop.run 40000000']);
  expect(recorded.decoder.facts().units.value).toEqual({ name: 'Time', unit: 'ns' });
  expect(recorded.decoder.facts().choices[1]).toMatchObject({ id: 'period', chosen: 20 });
  const chosen = read([withPeriod('period', '20 ms')], { period: '5' });
  expect(lines(chosen, 'value')).toEqual(['main;Shop.run 10000000']);
  expect(lines(read([withPeriod('interval', '10000000')]), 'value')).toEqual(['main;Shop.run 20000000']);
  expect(read([withPeriod('period', 'everyChunk')]).decoder.facts().units.value).toBe(undefined);
});

/** Settings as async-profiler writes them, and the value of the samples that it took. */
function asyncProfiled(
  sample: 'jdk.ExecutionSample' | 'profiler.WallClockSample',
  settings: readonly (readonly [name: string, value: string])[],
): string {
  const chunk = new JfrChunk([
    'jdk.ActiveSetting',
    'jdk.ActiveRecording',
    'jdk.ExecutionSample',
    'profiler.WallClockSample',
  ]);
  for (const [name, value] of settings)
    chunk.setting(name === 'event' ? 'jdk.ActiveRecording' : 'jdk.ExecutionSample', name, value);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const of = [chunk.thread('main', 1), stack, chunk.state('STATE_SLEEPING')];
  chunk.event(sample, 2_000, ...of, ...(sample === 'jdk.ExecutionSample' ? [] : [3]));
  const found = read([chunk.finish()]);
  const period = found.decoder.facts().choices.find(({ id }) => id === 'period');
  return `${period?.kind === 'number' ? `${period.chosen} of ${period.suggested}` : ''}, ${lines(found, 'value').join()}`;
}

test('the period of async-profiler is that of what it was told to take, or its default', () => {
  const wall = (...settings: readonly (readonly [string, string])[]): string =>
    asyncProfiled('profiler.WallClockSample', settings);
  const execution = (...settings: readonly (readonly [string, string])[]): string =>
    asyncProfiled('jdk.ExecutionSample', settings);
  expect(wall(['event', 'wall'], ['interval', '20000000'])).toBe('20 of 50, main;Shop.run 60000000');
  expect(wall(['interval', '20000000'], ['event', 'wall'])).toBe('20 of 50, main;Shop.run 60000000');
  expect(wall(['event', 'wall'], ['interval', '0'])).toBe('50 of 50, main;Shop.run 150000000');
  expect(wall(['event', 'cpu'], ['interval', '1000000'], ['wall', '30000000'])).toBe(
    '30 of 50, main;Shop.run 90000000',
  );
  expect(wall(['event', 'cpu'], ['interval', '1000000'], ['wall', '0'])).toBe(
    '50 of 50, main;Shop.run 150000000',
  );
  expect(wall(['interval', '1000000'])).toBe('undefined of 50, main;Shop.run 0');
  // Version 3 writes execution samples of waiting threads.
  expect(execution(['event', 'wall'], ['interval', '0'])).toBe('50 of 20, main;Shop.run 50000000');
  expect(execution(['event', 'cpu'], ['interval', '0'])).toBe('10 of 20, main;Shop.run 10000000');
  expect(execution(['event', 'itimer'], ['interval', '5000000'])).toBe('5 of 20, main;Shop.run 5000000');
  // A number of cache misses, and of calls, is no time.
  expect(execution(['event', 'cache-misses'], ['interval', '1000'])).toBe('undefined of 20, main;Shop.run 0');
  expect(execution(['event', 'Shop.run'], ['interval', '1'])).toBe('undefined of 20, main;Shop.run 0');
});

/** Two samples of a Java method every 10 ms, three of a native one every 20 ms, in one thread. */
function withNative(settings = true): Uint8Array {
  const chunk = new JfrChunk(['jdk.ActiveSetting', 'jdk.ExecutionSample', 'jdk.NativeMethodSample']);
  if (settings) {
    chunk.setting('jdk.ExecutionSample', 'period', '10 ms');
    chunk.setting('jdk.NativeMethodSample', 'period', '20 ms');
  }
  const frame = (method: string): WrittenFrame => ({
    method: chunk.method('Net', method),
    line: 3,
    bci: 0,
    type: 'Inlined',
  });
  const [read1, accept] = [chunk.stack([frame('read')]), chunk.stack([frame('accept')])];
  const of = [chunk.thread('main', 1), chunk.state('STATE_RUNNABLE')];
  chunk.event('jdk.ExecutionSample', 2_000, of[0], read1, of[1]);
  for (const at of [2_100, 2_200, 2_300]) chunk.event('jdk.NativeMethodSample', at, of[0], accept, of[1]);
  // The same stack as a native one: the time is that of the event.
  chunk.event('jdk.ExecutionSample', 2_400, of[0], accept, of[1]);
  return chunk.finish();
}

const choicesOf = ({ decoder }: ReadInput): readonly string[] =>
  decoder.facts().choices.map((choice) => `${choice.id} ${choice.chosen}`);

test('a sample stands for the period of its own event type, alone and summed, also where times are kept', () => {
  const both = read([withNative()]);
  expect(lines(both, 'value')).toEqual(['main;Net.accept 70000000', 'main;Net.read 10000000']);
  expect(both.decoder.facts().notes).toEqual([]);
  const timed = decodeInput(JFR, withNative(), {}, undefined, true);
  expect(lines(timed, 'value')).toEqual(['main;Net.accept 70000000', 'main;Net.read 10000000']);
  const { samples } = timed.profile;
  expect(
    Array.from(
      { length: 5 },
      (_, row) => `${samples!.timeOf(row) % 1000n} ${samples!.value.exact(row)}`,
    ).sort(),
  ).toEqual(['0 10000000', '100 20000000', '200 20000000', '300 20000000', '400 10000000']);
  const other = read([withNative()], { period: '5', 'native-period': '50' });
  expect(lines(other, 'value')).toEqual(['main;Net.accept 155000000', 'main;Net.read 5000000']);
});

test('samples of Java methods can be counted alone, and those of native ones', () => {
  expect(choicesOf(read([withNative()]))).toEqual([
    'sample-type cpu',
    'events all',
    'period 10',
    'native-period 20',
  ]);
  const java = read([withNative()], { events: 'jdk.ExecutionSample' });
  expect(lines(java, 'value')).toEqual(['main;Net.accept 10000000', 'main;Net.read 10000000']);
  expect(choicesOf(java)).toEqual(['sample-type cpu', 'events jdk.ExecutionSample', 'period 10']);
  const native = read([withNative()], { events: 'jdk.NativeMethodSample' });
  expect(lines(native, 'value')).toEqual(['main;Net.accept 60000000']);
  expect(choicesOf(native)[2]).toBe('native-period 20');
  // One given period is that of both where the recording has none.
  const given = read([withNative(false)], { period: '2' });
  expect(lines(given, 'value')).toEqual(['main;Net.accept 8000000', 'main;Net.read 2000000']);
  expect(choicesOf(given)).toEqual(['sample-type cpu', 'events all', 'period 2']);
  expect(lines(read([withNative()], { events: 'no such event' }))).toHaveLength(2);
});

test('parking is parted from monitors', () => {
  const chunk = new JfrChunk(['jdk.JavaMonitorEnter', 'jdk.ThreadPark']);
  const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
  const thread = chunk.thread('main', 1);
  chunk.event('jdk.JavaMonitorEnter', 2_000, 1_500, thread, stack, chunk.class('L'));
  chunk.event('jdk.ThreadPark', 2_000, 7_000, thread, stack, chunk.class('P'));
  const file = [chunk.finish()];
  const of = (events: string): readonly string[] => lines(read(file, { events, classes: 'on' }), 'value');
  expect(of('all')).toEqual(['main;Shop.run;L 1500', 'main;Shop.run;P 7000']);
  expect(of('jdk.JavaMonitorEnter')).toEqual(['main;Shop.run;L 1500']);
  expect(of('jdk.ThreadPark')).toEqual(['main;Shop.run;P 7000']);
  const { choices } = read(file).decoder.facts();
  expect(choices[1]).toMatchObject({
    id: 'events',
    options: [{ text: 'All' }, { text: 'Java monitor enter' }, { text: 'Thread park' }],
  });
});

test('an event type that the recording lacks is said', () => {
  expect(read([cpuChunk()], { events: 'jdk.NativeMethodSample' }).decoder.facts().notes[0]).toBe(
    'The recording has no events of this type: jdk.NativeMethodSample.',
  );
});

test('events of which only so many a second are recorded are samples, and it is said', () => {
  const recorded = (settings: Readonly<Record<string, string>>, chosen = 'io'): readonly unknown[] => {
    const chunk = new JfrChunk([
      'jdk.ActiveSetting',
      'jdk.FileRead',
      'jdk.FileForce',
      'jdk.SocketRead',
      'jdk.ObjectAllocationSample',
    ]);
    for (const [event, throttle] of Object.entries(settings)) {
      chunk.setting(event as EventName, 'enabled', 'true');
      chunk.setting(event as EventName, 'throttle', throttle);
    }
    const stack = chunk.stack([{ method: chunk.method('Shop', 'run'), line: 3, bci: 0, type: 'Inlined' }]);
    const thread = chunk.thread('main', 1);
    for (const event of ['jdk.FileRead', 'jdk.FileForce'] as const)
      chunk.event(event, 2_000, 5, thread, stack, 0);
    chunk.event('jdk.ObjectAllocationSample', 2_000, thread, stack, chunk.class('T'), 16);
    const { units, notes } = read([chunk.finish()], { 'sample-type': chosen }).decoder.facts();
    return [isSampled(units), ...notes];
  };
  const said = (limits: string): string =>
    `At most so many events were recorded: ${limits}. Where there were more, those recorded are a sample: shares are estimates, and sums are too small.`;
  expect(recorded({ 'jdk.FileRead': '300/s', 'jdk.SocketRead': '300/s' })).toEqual([
    true,
    said('jdk.FileRead 300/s'),
  ]);
  expect(recorded({ 'jdk.FileRead': '300/s', 'jdk.FileForce': '5/ms' })).toEqual([
    true,
    said('jdk.FileRead 300/s, jdk.FileForce 5/ms'),
  ]);
  for (const throttle of ['off', '', '10ms']) expect(recorded({ 'jdk.FileRead': throttle })).toEqual([false]);
  expect(recorded({ 'jdk.SocketRead': '300/s' })).toEqual([false]);
  // These are samples anyway.
  expect(recorded({ 'jdk.ObjectAllocationSample': '300/s' }, 'alloc')).toEqual([true]);
});

test('texts of sampling periods', () => {
  const texts = [
    '20 ms',
    '1 s',
    '10000000',
    '500 us',
    '2 m',
    'everyChunk',
    '0 ms',
    '',
    '-1 ms',
    '9'.repeat(30),
  ];
  expect(texts.map(periodOf)).toEqual([
    20e6,
    1e9,
    10e6,
    500e3,
    120e9,
    ...Array<undefined>(5).fill(undefined),
  ]);
});

function jvmTables(
  ...texts: readonly [name: string, version: string, options: string, program: string]
): unknown {
  const chunk = new JfrChunk(['jdk.JVMInformation', 'jdk.ExecutionSample']);
  chunk.jvm(...texts);
  return read([chunk.finish()])
    .decoder.facts()
    .tables.filter(({ title }) => title === 'JVM' || title === 'Command line')
    .map(({ title, rows, isPrivate }) => [title, isPrivate, rows]);
}

test('the JVM that was recorded, with its Java version', () => {
  const version =
    'OpenJDK 64-Bit Server VM (25.392-b08) for linux-amd64 JRE (1.8.0_392-b08), built on Oct  1 2023';
  expect(jvmTables('OpenJDK 64-Bit Server VM', version, '-Xmx1g', `shop.jar ${'x'.repeat(9_000)}`)).toEqual([
    [
      'JVM',
      undefined,
      [
        ['Java version', '1.8.0_392-b08'],
        ['Virtual machine', 'OpenJDK 64-Bit Server VM'],
      ],
    ],
    [
      'Command line',
      true,
      [
        ['Program', `shop.jar ${'x'.repeat(1_991)}…`],
        ['Options', '-Xmx1g'],
      ],
    ],
  ]);
  // async-profiler has the version alone; others may say nothing.
  expect(jvmTables('', '17.0.12+7-LTS', '', '')).toEqual([
    ['JVM', undefined, [['Java version', '17.0.12+7-LTS']]],
  ]);
  expect(jvmTables('', 'unknown', '', '')).toEqual([]);
  const javaVersion = (text: string): string | undefined => {
    const chunk = new JfrChunk(['jdk.JVMInformation', 'jdk.ExecutionSample']);
    chunk.jvm('', text, '', '');
    return read([chunk.finish()]).decoder.facts().javaVersion;
  };
  expect([version, '17.0.12+7-LTS', '25', 'unknown'].map(javaVersion)).toEqual([
    '1.8.0_392',
    '17.0.12',
    '25',
    undefined,
  ]);
});
