import { expect, test } from 'vitest';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

const read = (text: string, state?: string): ReturnType<typeof readInput> =>
  readInput(new TextEncoder().encode(text), state === undefined ? {} : { state });
const stacks = (text: string, state?: string): string[] =>
  Object.keys(stackCounts(read(text, state).profile));

const TO_FILE = {
  threadDump: {
    processId: '3862',
    time: '2026-01-25T15:46:04.439828Z',
    runtimeVersion: '25+36',
    threadContainers: [
      {
        container: '<root>',
        threads: [
          {
            tid: '1',
            name: 'main',
            stack: ['java.base/java.lang.Object.wait0(Native Method)', 'a.A.main(A.java:7)'],
          },
          { tid: 11, name: 'Signal Dispatcher', stack: [] },
          { name: 'without a stack' },
        ],
      },
      {
        container: 'java.util.concurrent.ThreadPerTaskExecutor@1',
        threads: [{ tid: '21', name: '', virtual: true, state: 'WAITING', stack: ['a.A.serve(A.java:9)'] }],
      },
    ],
  },
};

test('Thread.dump_to_file -format=json', () => {
  const text = JSON.stringify(TO_FILE).replaceAll('/', '\\/');
  expect(read(text).format).toBe('thread-dump-json');
  expect(stacks(text)).toEqual(['main;a.A.main:7;java.lang.Object.wait0', 'virtual thread #21;a.A.serve:9']);
  expect(stacks(text, 'WAITING')).toEqual(['virtual thread #21;a.A.serve:9']);
  const { notes, losses, firstTime } = read(text).decoder.facts();
  expect(notes).toEqual([
    'One thread dump.',
    '1 thread without a stack in the dump, such as the VM’s own: not counted.',
    '1 block not counted. Blocks that look like threads have a first line in an unknown form.',
  ]);
  // A thread of the VM has no stack that could be lost.
  expect(losses).toMatchObject([{ kind: 'uncounted', amount: '1 block' }]);
  expect(firstTime).toBe(BigInt(Date.UTC(2026, 0, 25, 15, 46, 4)) * 1_000_000n);
});

const ACTUATOR = [
  {
    threadName: 'http-1',
    threadId: 20,
    blockedTime: -1,
    daemon: true,
    threadState: 'TIMED_WAITING',
    stackTrace: [
      {
        moduleName: 'java.base',
        methodName: 'sleep',
        fileName: 'Thread.java',
        lineNumber: -2,
        className: 'java.lang.Thread',
        nativeMethod: true,
      },
      {
        methodName: 'pause',
        fileName: 'Shop.java',
        lineNumber: 47,
        className: 'demo.Shop',
        nativeMethod: false,
      },
      { methodName: 'run', fileName: null, lineNumber: -1, className: 'demo.Gen', nativeMethod: false },
    ],
  },
];

test('the thread dump of Spring Boot’s actuator, of version 2 and of version 1', () => {
  for (const value of [{ threads: ACTUATOR }, ACTUATOR]) {
    const text = JSON.stringify(value);
    expect(read(text).format).toBe('thread-dump-json');
    expect(stacks(text, 'TIMED_WAITING')).toEqual([
      'http-1;demo.Gen.run;demo.Shop.pause:47;java.lang.Thread.sleep',
    ]);
  }
});

const JAVACORE = `0SECTION       TITLE subcomponent dump routine
NULL           ===============================
1TISIGINFO     Dump Event "user" (00004000) received
1TIDATETIMEUTC Date: 2024/10/01 at 06:30:00:123 (UTC)
1TIDATETIME    Date: 2024/10/01 at 08:30:00:123
NULL
0SECTION       THREADS subcomponent dump routine
1XMCURTHDINFO  Current thread
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/A.main(A.java:7)
NULL
1XMTHDINFO     Thread Details
NULL
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO1            (native thread ID:0x2A3C, native priority:0x5, native policy:UNKNOWN, vmstate:R)
3XMCPUTIME               CPU usage total: 6.5 secs, user: 6.0 secs, system: 0.5 secs, current category="Application"
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/b/B.add(B.java:1505(Compiled Code))
5XESTACKTRACE                   (entered lock: a/b/B@0x00E4, entry count: 1)
4XESTACKTRACE                at a/A.main(A.java:7)
3XMTHREADINFO3           Native callstack:
4XENATIVESTACK               JVM_MaxMemory+0x5 (vmi.c:209, 0x00996FF5 [jvm+0x6ff5])
NULL
3XMTHREADINFO      "a "quoted" name" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1F, isDaemon:true)
3XMTHREADBLOCK     Waiting on: java/lang/Object@0x0 Owned by: <unowned>
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
NULL
3XMTHREADINFO      Anonymous native thread
3XMTHREADINFO3           No Java callstack associated with this thread
0SECTION       CLASSES subcomponent dump routine
`;

test('a javacore of OpenJ9', () => {
  expect(read(JAVACORE).format).toBe('javacore');
  expect(stacks(JAVACORE)).toEqual([
    'main;a.A.main:7;a.b.B.add:1505',
    'a "quoted" name;java.lang.Object.wait',
  ]);
  expect(stacks(JAVACORE, 'WAITING')).toEqual(['a "quoted" name;java.lang.Object.wait']);
  const { notes, tables, firstTime } = read(JAVACORE).decoder.facts();
  expect(notes[0]).toBe('One thread dump.');
  expect(firstTime).toBe(BigInt(Date.UTC(2024, 9, 1, 8, 30)) * 1_000_000n);
  expect(tables[0].rows[0]).toEqual(['main', '1', undefined, 'RUNNABLE', 6.5e9, undefined, 1]);
  const later = JAVACORE.replaceAll('08:30:00', '08:30:02');
  expect(Object.values(stackCounts(read(JAVACORE + later).profile))[0]).toBe('2 2000000000');
});

test('a javacore without threads is refused', () => {
  const text = JAVACORE.slice(0, JAVACORE.indexOf('1XMCURTHDINFO'));
  expect(read(text).decoder.refusal).toBe('a thread dump without threads');
});
