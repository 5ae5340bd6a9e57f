import { expect, test } from 'vitest';
import type { Chosen } from '../../../shared/facts/choice.ts';
import { readDumpFrame } from '../../../shared/formats/thread-dump/dump-series.ts';
import { THREAD_DUMP } from '../../../shared/formats/thread-dump/format.ts';
import { readThreadHeader } from '../../../shared/formats/thread-dump/thread-header.ts';
import { decodeInput, type ReadInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

const read = (text: string, chosen: Chosen = {}): ReadInput =>
  decodeInput(THREAD_DUMP, new TextEncoder().encode(text), chosen);

const stacks = (text: string, chosen: Chosen = {}): string[] =>
  Object.entries(stackCounts(read(text, chosen).profile)).map(([stack, values]) => `${stack} ${values}`);

test('the first line of a thread, from JDK 6 to 21', () => {
  const header = (line: string): string => {
    const found = readThreadHeader(line);
    if (found === undefined) return 'none';
    const { name, number, isDaemon, cpu, elapsed } = found;
    return `${name} | ${number} | ${isDaemon} | ${cpu} | ${elapsed}`;
  };
  expect(header('"main" prio=10 tid=0x0000000040115000 nid=0x1b03 runnable [0x0000000041a8d000]')).toBe(
    'main | undefined | false | undefined | undefined',
  );
  expect(
    header('"pool-1" #12 daemon prio=5 os_prio=0 tid=0x00007f nid=0x1b03 waiting on condition [0x0]'),
  ).toBe('pool-1 | 12 | true | undefined | undefined');
  expect(
    header(
      '"main" #1 [2970] prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f nid=2970 runnable  [0x0]',
    ),
  ).toBe('main | 1 | false | 351140000 | 6600000000');
  expect(header('"VM Thread" os_prio=0 cpu=47.5ms elapsed=6s tid=0x00007f nid=0xba0 runnable  ')).toBe(
    'VM Thread | undefined | false | 47500000 | 6000000000',
  );
  // Names are not escaped.
  expect(header('"a "b" #1 daemon prio=5" #7 prio=5 os_prio=0 tid=0x00007f nid=0xba0 runnable')).toBe(
    'a "b" #1 daemon prio=5 | 7 | false | undefined | undefined',
  );
  expect(header('os_prio=0 cpu=44.96ms elapsed=5.67s tid=0x00007f nid=0xbad runnable  ')).toBe(
    ' | undefined | false | 44960000 | 5670000000',
  );
  expect(header('"Thread-1":')).toBe('none');
});

test('frames, with and without modules and loaders', () => {
  const frame = (text: string): string => {
    const { className, methodName, file, line, bci } = readDumpFrame(text);
    return `${className} | ${methodName} | ${file} | ${line} | ${bci}`;
  };
  expect(frame('demo.Shop.pause(Shop.java:47)')).toBe('demo.Shop | pause | Shop.java | 47 | -1');
  expect(frame('java.lang.Thread.run(java.base@17.0.15/Thread.java:840)')).toBe(
    'java.lang.Thread | run | Thread.java | 840 | -1',
  );
  expect(frame('java.lang.Thread.sleep(java.base@17.0.15/Native Method)')).toBe(
    'java.lang.Thread | sleep |  | -100 | -3',
  );
  expect(frame('java.base@21/java.lang.Object.wait0(Native Method)')).toBe(
    'java.lang.Object | wait0 |  | -100 | -3',
  );
  expect(frame('app//demo.Shop.<init>(Shop.java)')).toBe('demo.Shop | <init> | Shop.java | -100 | -1');
  expect(frame('demo.Shop$$Lambda$88/0x00007f9318007c10.run(Unknown Source)')).toBe(
    'demo.Shop$$Lambda$88/0x00007f9318007c10 | run |  | -100 | -1',
  );
  expect(frame('app//demo.Shop$$Lambda$88/791452441.run(Unknown Source)')).toBe(
    'demo.Shop$$Lambda$88/791452441 | run |  | -100 | -1',
  );
  expect(frame('nonsense')).toBe(' | nonsense |  | -100 | -1');
});

const JDK_21 = `2024-02-03 10:00:00
Full thread dump OpenJDK 64-Bit Server VM (21.0.1+12-29 mixed mode, sharing):

"main" #1 [2970] prio=5 os_prio=0 cpu=351.14ms elapsed=6.60s tid=0x00007f01 nid=2970 waiting on condition  [0x00007f]
   java.lang.Thread.State: WAITING (parking)
\tat jdk.internal.misc.Unsafe.park(java.base@21.0.1/Native Method)
\tat demo.Main.main(Main.java:7)

"ForkJoinPool-1-worker-1" #22 [2990] daemon prio=5 os_prio=0 cpu=3.34ms elapsed=2.11s tid=0x00007f02  [0x00007f]
   Carrying virtual thread #21
\tat jdk.internal.vm.Continuation.run(java.base@21.0.1/Continuation.java:221)
\tat java.lang.VirtualThread.run(java.base@21.0.1/VirtualThread.java:309)
   Mounted virtual thread #21
\tat demo.Main.serve(Main.java:12)
\tat java.lang.VirtualThread.run(java.base@21.0.1/VirtualThread.java:309)

"VM Thread" os_prio=0 cpu=47.52ms elapsed=6.57s tid=0x00007f03 nid=2980 runnable

JNI global refs: 27, weak refs: 5
`;

test('virtual threads of JDK 21 have a stack of their own, and no state', () => {
  expect(stacks(JDK_21)).toEqual([
    'main;demo.Main.main:7;jdk.internal.misc.Unsafe.park 1 0',
    'ForkJoinPool-1-worker-1;java.lang.VirtualThread.run:309;jdk.internal.vm.Continuation.run:221 1 0',
    'virtual thread #21;java.lang.VirtualThread.run:309;demo.Main.serve:12 1 0',
  ]);
  expect(stacks(JDK_21, { state: 'none' })).toHaveLength(2);
  expect(stacks(JDK_21, { state: 'WAITING' })).toHaveLength(1);
});

const TO_FILE = `2970
2025-02-03T10:00:00.123456Z
21.0.1+12-LTS

#1 "main"
      java.base/java.lang.Thread.sleep0(Native Method)
      java.base/java.lang.Thread.sleep(Thread.java:509)
      demo.Main.main(Main.java:7)

#21 "" virtual
      java.base/java.lang.VirtualThread.park(VirtualThread.java:582)
      demo.Main.serve(Main.java:12)

#9 "Signal Dispatcher"

`;

test('what Thread.dump_to_file writes, one or several', () => {
  expect(stacks(TO_FILE)).toEqual([
    'main;demo.Main.main:7;java.lang.Thread.sleep:509;java.lang.Thread.sleep0 1 0',
    'virtual thread #21;demo.Main.serve:12;java.lang.VirtualThread.park:582 1 0',
  ]);
  const later = TO_FILE.replace('10:00:00.123456Z', '10:00:02Z').replace(
    ' virtual\n',
    ' virtual WAITING 2025-02-03T10:00:02Z\n',
  );
  expect(stacks(TO_FILE + later)).toEqual([
    'main;demo.Main.main:7;java.lang.Thread.sleep:509;java.lang.Thread.sleep0 2 1877000000',
    'virtual thread #21;demo.Main.serve:12;java.lang.VirtualThread.park:582 2 1877000000',
  ]);
  expect(stacks(TO_FILE + later, { state: 'WAITING' })).toHaveLength(1);
  expect(read(TO_FILE + later).decoder.records).toBe(6);
  expect(THREAD_DUMP.recognise(new TextEncoder().encode(TO_FILE)).verdict).toBe('is');
});

const DEADLOCK = `some server: started
2024-02-03 10:00:00
Full thread dump Java HotSpot(TM) 64-Bit Server VM (25.202-b08 mixed mode):

"left" #10 prio=5 os_prio=0 tid=0x00007f01 nid=0x11 waiting for monitor entry [0x00007f]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat demo.Dead.lock(Dead.java:9)
\t- waiting to lock <0x00000000d5f0a2b8> (a demo.Right)
\t- locked <0x00000000d5f0a2a8> (a demo.Left)
\tat demo.Dead.run(Dead.java:5)

"right" #11 prio=5 os_prio=0 tid=0x00007f02 nid=0x12 waiting for monitor entry [0x00007f]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat demo.Dead.lock(Dead.java:9)
\t- waiting to lock <0x00000000d5f0a2a8> (a demo.Left)
\t- locked <0x00000000d5f0a2b8> (a demo.Right)
\tat demo.Dead.run(Dead.java:5)

   Locked ownable synchronizers:
\t- <0x00000000d5f0a2f8> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

"third" #12 prio=5 os_prio=0 tid=0x00007f03 nid=0x13 waiting on condition [0x00007f]
   java.lang.Thread.State: WAITING (parking)
\tat sun.misc.Unsafe.park(Native Method)
\t- parking to wait for  <0x00000000d5f0a2f8> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
\tat demo.Dead.run(Dead.java:5)

"waiter" #13 prio=5 os_prio=0 tid=0x00007f04 nid=0x14 in Object.wait() [0x00007f]
   java.lang.Thread.State: WAITING (on object monitor)
\tat java.lang.Object.wait(Native Method)
\t- waiting on <0x00000000d5f0a300> (a demo.Queue)
\tat demo.Queue.take(Queue.java:3)
\t- locked <0x00000000d5f0a300> (a demo.Queue)

JNI global references: 7


Found one Java-level deadlock:
=============================
"left":
  waiting to lock monitor 0x00007f8 (object 0x00000000d5f0a2b8, a demo.Right),
  which is held by "right"
"right":
  waiting to lock monitor 0x00007f9 (object 0x00000000d5f0a2a8, a demo.Left),
  which is held by "left"

Java stack information for the threads listed above:
===================================================
"left":
\tat demo.Dead.lock(Dead.java:9)
\t- waiting to lock <0x00000000d5f0a2b8> (a demo.Right)
\tat demo.Dead.run(Dead.java:5)
"right":
\tat demo.Dead.lock(Dead.java:9)
\tat demo.Dead.run(Dead.java:5)

Found 1 deadlock.

some server: still there
`;

test('a deadlock is told, and its threads are not counted twice', () => {
  expect(stacks(DEADLOCK)).toEqual([
    'left;demo.Dead.run:5;demo.Dead.lock:9 1 0',
    'right;demo.Dead.run:5;demo.Dead.lock:9 1 0',
    'third;demo.Dead.run:5;sun.misc.Unsafe.park 1 0',
    'waiter;demo.Queue.take:3;java.lang.Object.wait 1 0',
  ]);
  const { decoder } = read(DEADLOCK);
  expect(decoder.facts().notes).toEqual(['One thread dump.', 'The VM found 1 deadlock.']);
  expect(decoder.bytes.skipped).toBe('some server: started\nsome server: still there\n'.length);
});

test('locks: who holds them, who waits', () => {
  const locks = read(DEADLOCK).decoder.facts().tables[1];
  expect(locks.rows.map((row) => row.slice(1).join(' | '))).toEqual([
    'demo.Right | right | 1 | left',
    'demo.Left | left | 1 | right',
    'java.util.concurrent.locks.ReentrantLock$NonfairSync | right | 1 | third',
    // Who waits in Object.wait does not hold it.
    'demo.Queue |  | 1 | waiter',
  ]);
});

const dump = (time: string, ...threads: readonly string[]): string =>
  `${time}\nFull thread dump OpenJDK (17):\n\n${threads.join('\n')}\nJNI global refs: 1, weak refs: 2\n\n`;

const thread = (name: string, number: number, ...frames: readonly string[]): string =>
  `"${name}" #${number} prio=5 tid=0x01 nid=0x02 runnable\n   java.lang.Thread.State: RUNNABLE\n${frames.map((frame) => `\tat a.A.${frame}(A.java)\n`).join('')}`;

test('time between dumps goes to what two stacks in a row have in common', () => {
  const series = [
    dump('2024-02-03 10:00:00', thread('w', 1, 'c', 'b', 'a'), thread('x', 2, 'r')),
    dump('2024-02-03 10:00:10', thread('w', 1, 'b', 'a')),
    dump('2024-02-03 10:00:12', thread('w', 1, 'd', 'b', 'a'), thread('x', 2, 'r')),
    dump('2024-02-03 10:00:13', thread('w', 1, 'd', 'z')),
    // A clock that is set back.
    dump('2024-02-03 10:00:03', thread('w', 1, 'd', 'z')),
  ].join('');
  expect(stacks(series).sort()).toEqual([
    'w;a.A.a;a.A.b 1 12000000000',
    'w;a.A.a;a.A.b;a.A.c 1 0',
    'w;a.A.a;a.A.b;a.A.d 1 0',
    'w;a.A.z;a.A.d 2 0',
    // Not in the dump between.
    'x;a.A.r 2 0',
  ]);
  expect(read(series).decoder.facts().backwardSteps).toBe(1);
});

test('threads of one name are told apart by their number', () => {
  const series = [
    dump('2024-02-03 10:00:00', thread('w', 1, 'a'), thread('w', 2, 'b')),
    dump('2024-02-03 10:00:10', thread('w', 2, 'b'), thread('w', 1, 'a')),
  ].join('');
  const { profile, decoder } = read(series);
  expect(profile.threads.length).toBe(2);
  expect(decoder.facts().tables[0].rows.map((row) => row.join(' '))).toEqual([
    'w 1  RUNNABLE   2 1 2 no',
    'w 2  RUNNABLE   2 1 2 no',
  ]);
  expect(stacks(series)).toEqual(['w;a.A.a 2 10000000000', 'w;a.A.b 2 10000000000']);
});

test('a name with a line break, Windows line ends, frames behind blanks', () => {
  const text = dump('2024-02-03 10:00:00', thread('two\nlines', 1, 'b', 'a')).replaceAll('\t', '    ');
  expect(stacks(text)).toEqual(['two\nlines;a.A.a;a.A.b 1 0']);
  expect(stacks(text.replaceAll('\n', '\r\n'))).toEqual(['two\nlines;a.A.a;a.A.b 1 0']);
});

test('a dump that is still written shows whole threads only', () => {
  const text = dump('2024-02-03 10:00:00', thread('w', 1, 'b', 'a'), thread('x', 2, 'r'));
  const input = new TextEncoder().encode(text.slice(0, text.indexOf('"x"') + 90));
  const { profile } = decodeInput(
    {
      createDecoder: (sink, chosen) => {
        const decoder = THREAD_DUMP.createDecoder(sink, chosen);
        const emitOpen = decoder.emitOpen.bind(decoder);
        decoder.emitOpen = () => emitOpen(false);
        return decoder;
      },
    },
    input,
  );
  expect(Object.keys(stackCounts(profile))).toEqual(['w;a.A.a;a.A.b']);
});

test('a stack of a million frames', () => {
  const frames = Array.from({ length: 1_000_000 }, (_, at) => `m${at % 7}`);
  const text = `"deep" #1 tid=0x01 nid=0x02\n${frames.map((frame) => `\tat a.A.${frame}(A.java)\n`).join('')}`;
  const deep = read(text);
  expect([deep.aggregator.deepestStack, deep.profile.nodes.length]).toEqual([1_000_000, 1_000_001]);
});

test('what a thread dump begins with', () => {
  const verdict = (text: string): string => THREAD_DUMP.recognise(new TextEncoder().encode(text)).verdict;
  expect(verdict(JDK_21)).toBe('is');
  expect(verdict(DEADLOCK)).toBe('is');
  expect(verdict(JDK_21.slice(JDK_21.indexOf('"main"')))).toBe('is');
  for (const begin of [
    '2',
    '2968:\n',
    '2968:\n2024-02-03 10:',
    '2024-02-03 10:00:00\nFull thr',
    '"main" #1 pr',
    // A dump may follow any text.
    'Hello',
    'main;a;b 3\n',
    'log of a Full thread dump \n',
  ])
    expect(verdict(begin)).toBe('possible');
  for (const other of ['', 'JAVA PROFILE 1.0.2\0']) expect(verdict(other)).toBe('no');
});
