import { expect, test } from 'vitest';
import type { FormatFacts } from '../../../shared/facts/format-facts.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

// Virtual threads, threads without names, locks of JDK 25, coroutines.

const read = (text: string): ReturnType<typeof readInput> => readInput(new TextEncoder().encode(text));
const stacks = (text: string): string[] => Object.keys(stackCounts(read(text).profile));
const facts = (text: string): FormatFacts => read(text).decoder.facts();
const locks = (text: string): string[] =>
  facts(text)
    .tables.find(({ title }) => title === 'Locks in the latest dump')!
    .rows.map((row) => row.map((cell) => cell ?? '–').join(' | '));

const JAVACORE = `0SECTION       THREADS subcomponent dump routine
1XMTHDINFO     Thread Details
NULL
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/A.main(A.java:7)
NULL
1XMVTHDINFO    Unmounted Threads
NULL           =================
3XMVTHDINFO        "vt-1" J9VMContinuation:0x4, java/lang/Thread:0x5
3XMVTHDINFO1             Type: Virtual
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/B.park(B.java:5(Compiled Code))
4XESTACKTRACE                at a/B.run(B.java:9)
NULL
3XMVTHDINFO        "" J9VMContinuation:0x6, java/lang/Thread:0x7
3XMVTHDINFO1             Type: Virtual
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/C.run(C.java:9)
NULL
3XMVTHDINFO        "" J9VMContinuation:0x8, java/lang/Thread:0x9
3XMVTHDINFO1             Type: Virtual
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/D.run(D.java:9)
0SECTION       CLASSES subcomponent dump routine
`;

test('a javacore: virtual threads that are not mounted have stacks of their own', () => {
  expect(stacks(JAVACORE)).toEqual([
    'main;a.A.main:7',
    'vt-1;a.B.run:9;a.B.park:5',
    'virtual thread;a.C.run:9',
    'virtual thread;a.D.run:9',
  ]);
  expect(facts(JAVACORE).tables[0].rows.map((row) => row.slice(0, 4))).toEqual([
    ['main', '1', undefined, 'WAITING'],
    ['vt-1', undefined, 'daemon', undefined],
    ['virtual thread', undefined, 'daemon', undefined],
    ['virtual thread', undefined, 'daemon', undefined],
  ]);
});

const TO_FILE = `4711
2026-11-27T23:11:09.683736425Z
25.0.3+9-LTS

#228 "blocked platform" BLOCKED 2026-11-27T23:11:09.829202815Z
    at a.Work.run(Work.java:15)
    - waiting to lock <java.lang.Object@1a3f77e7>
    at java.base/java.lang.Thread.run(Thread.java:1474)

#229 "dead1" WAITING 2026-11-27T23:11:09.831778227Z
    at java.base/jdk.internal.misc.Unsafe.park(Native Method)
    - parking to wait for <java.util.concurrent.locks.ReentrantLock$NonfairSync@6ef91772>
    at a.Work.guarded(Work.java:16)
    - locked <java.lang.Object@625e8498>
    - lock is eliminated

#224 "" virtual TIMED_WAITING 2026-11-27T23:11:09.851321161Z
    at a.Work.hold(Work.java:10)
    - locked <java.lang.Object@1a3f77e7>

#226 "blocked-v" virtual BLOCKED 2026-11-27T23:11:09.852321161Z
    at a.Work.enter(Work.java:12)
    - waiting to lock <java.lang.Object@1a3f77e7>

#227 "waiter" TIMED_WAITING 2026-11-27T23:11:09.852321161Z
    at java.base/java.lang.Object.wait0(Native Method)
    - waiting on <[Ljava.lang.String;@5>
    at a.Work.waits(Work.java:12)
    - locked <[Ljava.lang.String;@5>

`;
const LOCKS = [
  'java.lang.Object@1a3f77e7 | java.lang.Object | virtual thread #224 | 2 | blocked platform, blocked-v',
  'java.util.concurrent.locks.ReentrantLock$NonfairSync@6ef91772 | java.util.concurrent.locks.ReentrantLock$NonfairSync | – | 1 | dead1',
  '[Ljava.lang.String;@5 | [Ljava.lang.String; | – | 1 | waiter',
  'java.lang.Object@625e8498 | java.lang.Object | dead1 | 0 | –',
];

/** The same dump in JSON, as JDK 25 writes it: `stack`, innermost frame first, and what it says of locks. */
const inJson = (threads: readonly object[]): string =>
  JSON.stringify({
    threadDump: {
      processId: '4711',
      time: '2026-11-27T23:11:09.683736425Z',
      runtimeVersion: '25.0.3+9-LTS',
      threadContainers: [{ container: '<root>', parent: null, owner: null, threads }],
    },
  });
const TO_JSON = inJson([
  {
    tid: '228',
    name: 'blocked platform',
    state: 'BLOCKED',
    blockedOn: 'java.lang.Object@1a3f77e7',
    stack: [],
  },
  {
    tid: '229',
    name: 'dead1',
    state: 'WAITING',
    parkBlocker: { object: 'java.util.concurrent.locks.ReentrantLock$NonfairSync@6ef91772' },
    stack: ['a.Work.guarded(Work.java:16)'],
    monitorsOwned: [{ depth: 0, locks: ['java.lang.Object@625e8498', null] }],
  },
  {
    tid: '224',
    virtual: true,
    name: '',
    state: 'TIMED_WAITING',
    stack: ['a.Work.hold(Work.java:10)'],
    monitorsOwned: [{ depth: 0, locks: ['java.lang.Object@1a3f77e7'] }],
  },
  {
    tid: '226',
    virtual: true,
    name: 'blocked-v',
    state: 'BLOCKED',
    blockedOn: 'java.lang.Object@1a3f77e7',
    stack: [],
  },
  {
    tid: '227',
    name: 'waiter',
    state: 'TIMED_WAITING',
    waitingOn: '[Ljava.lang.String;@5',
    stack: [],
    monitorsOwned: [{ depth: 1, locks: ['[Ljava.lang.String;@5'] }],
  },
]);

test('locks in Thread.dump_to_file of JDK 25, as text and as JSON', () => {
  expect(locks(TO_FILE)).toEqual(LOCKS);
  expect(locks(TO_JSON)).toEqual(LOCKS);
});

test('locks of ThreadInfo, as text and in the dump of Spring Boot’s actuator', () => {
  const text = `"a" prio=5 Id=1 BLOCKED on a.L@1f owned by "b" Id=2
	at a.A.run(A.java:1)
	-  blocked on a.L@1f

"b" prio=5 Id=2 RUNNABLE
	at a.A.run(A.java:2)
	-  locked a.L@1f

	Number of locked synchronizers = 1
	- java.util.concurrent.locks.ReentrantLock$NonfairSync@2f

`;
  const rows = [
    'a.L@1f | a.L | b | 1 | a',
    'java.util.concurrent.locks.ReentrantLock$NonfairSync@2f | java.util.concurrent.locks.ReentrantLock$NonfairSync | b | 0 | –',
  ];
  expect(locks(text)).toEqual(rows);
  const lock = { className: 'a.L', identityHashCode: 0x1f };
  const sync = { className: 'java.util.concurrent.locks.ReentrantLock$NonfairSync', identityHashCode: 0x2f };
  const threads = [
    {
      threadName: 'a',
      threadId: 1,
      threadState: 'BLOCKED',
      stackTrace: [],
      lockInfo: lock,
      lockOwnerName: 'b',
    },
    {
      threadName: 'b',
      threadId: 2,
      threadState: 'RUNNABLE',
      stackTrace: [],
      lockInfo: null,
      lockedMonitors: [{ ...lock, lockedStackDepth: 0 }],
      lockedSynchronizers: [sync],
    },
  ];
  expect(locks(JSON.stringify({ threads }))).toEqual(rows);
});

test('a thread without a name is virtual only if the dump says so', () => {
  const json = inJson([
    {
      tid: '1',
      name: '',
      state: 'WAITING',
      stack: ['a.A.run(A.java:1)', 'java.base/java.lang.Thread.run(Thread.java:1474)'],
    },
    { tid: '2', name: '', virtual: true, state: 'WAITING', stack: ['a.B.run(B.java:1)'] },
    // JDK 21 does not say it otherwise.
    {
      tid: '3',
      name: '',
      stack: ['a.C.run(C.java:1)', 'java.base/java.lang.VirtualThread.run(VirtualThread.java:309)'],
    },
  ]);
  expect(stacks(json)).toEqual([
    'thread #1;java.lang.Thread.run:1474;a.A.run:1',
    'virtual thread #2;a.B.run:1',
    'virtual thread #3;java.lang.VirtualThread.run:309;a.C.run:1',
  ]);
  const text =
    '2026-11-27T23:11:09.6Z\n25\n\n#1 "" WAITING\n    at a.A.run(A.java:1)\n\n#2 "" virtual WAITING\n    at a.B.run(B.java:1)\n';
  expect(stacks(text)).toEqual(['thread #1;a.A.run:1', 'virtual thread #2;a.B.run:1']);
  const hotspot =
    'Full thread dump OpenJDK (25):\n\n"" #1 prio=5 tid=0x01 nid=1 runnable\n\tat a.A.run(A.java:1)\n\n';
  expect(stacks(hotspot)).toEqual(['thread #1;a.A.run:1']);
});

const COROUTINES = `---------- Coroutine dump ----------

- BlockingCoroutine{Active}@6d047d40 [BlockingEventLoop]
	- "Application":supervisor:ChildScope{Active} [Dispatchers.Default]
		- "a.Indexer (Alarm)":StandaloneCoroutine{Active}, state: SUSPENDED [Dispatchers.Default]
			at a.Indexer.schedule(Indexer.kt:384)
			at a.Indexer.run(Indexer.kt:12)
		- "a.Watcher":StandaloneCoroutine{Active}, state: RUNNING [Dispatchers.IO]
			at a.Watcher.poll(Watcher.kt:44)
`;

test('coroutines beside the threads are not counted, and this is said', () => {
  const dump =
    'Full thread dump OpenJDK (21):\n\n"main" #1 prio=5 tid=0x01 nid=1 runnable\n\tat a.A.run(A.java:1)\n\nJNI global refs: 1\n\n';
  const text = dump + COROUTINES;
  expect(stacks(text + dump)).toEqual(['main;a.A.run:1']);
  expect(read(text + dump).aggregator.sampleCount).toBe(2);
  const note =
    'A list beside the threads has them; 2 of them have a stack. One that runs is also on the stack of its thread.';
  expect(facts(text).notes).toEqual(['One thread dump.', `4 coroutines not counted. ${note}`]);
  expect(facts(text).losses).toEqual([
    { kind: 'uncounted', amount: '4 coroutines', why: note, advice: undefined },
  ]);
  const debugProbes = `Coroutines dump 2026/11/27 12:00:00

Coroutine "coroutine#1":StandaloneCoroutine{Active}@7f5e9b28, state: SUSPENDED
	at a.A.b(A.kt:1)

Coroutine "coroutine#2":DeferredCoroutine{Active}@7f5e9b29, state: CREATED
`;
  expect(facts(dump + debugProbes).losses[0].amount).toBe('2 coroutines');
  expect(facts(dump + debugProbes).notes[1]).toContain('1 of them has a stack');
});
