import { readFileSync } from 'node:fs';
import { JAVACORE, THREAD_DUMP, THREAD_DUMP_JSON } from '../../shared/formats/thread-dump/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';

const first = `2024-02-03 10:00:00
Full thread dump OpenJDK (21):

"main" #1 [29] prio=5 cpu=351.14ms elapsed=6.60s tid=0x01 nid=29 runnable  [0x00007f]
   java.lang.Thread.State: RUNNABLE
\tat a.A.c(java.base@21/Native Method)
\t- waiting to lock <0xd5f0> (a a.L)
\tat a.A.b(A.java:7)
\t- locked <0xd5f1> (a a.L)
\tat a.A.a(A.java:5)

"w" #22 daemon tid=0x02  [0x7f]
   Carrying virtual thread #21
\tat a.A.b(A.java:7)
   Mounted virtual thread #21
\tat a.A.a(A.java:5)

"VM Thread" tid=0x03 nid=2

JNI global refs: 27
`;

const second = `log
2024-02-03 10:00:05
Full thread dump OpenJDK (21):

"main" #1 prio=5 tid=0x01 nid=29 runnable
   java.lang.Thread.State: BLOCKED
\tat a.A.b(A.java:7)
\tat a.A.a(A.java:5)

Found one Java-level deadlock:
"main":
\tat a.A.b(A.java:7)
Found 1 deadlock.
`;

const toFile = `2970
2025-02-03T10:00:00.12Z
21.0.1+12-LTS

#1 "main"
      java.base/a.A.c(Native Method)
      a.A.a(A.java:5)

#21 "" virtual WAITING 2025-02-03T10:00:00.12Z
      java.base/a.A.a(A.java:5)

`;

const dialects = `log of a server
"main" - Thread t@1
   java.lang.Thread.State: TIMED_WAITING on a.B@1
\tat a.A.b(A.java:7)
\t- locked a.B@1

"b" id=2 in RUNNABLE (running in native)
    at a.A.a(A.java:5)
"c" (unknown)
    at a.A.a(A.java:5)
Thread <d>, RUNNABLE
    at a.A.a(A.java:5)
`;

const agent = `Thread 4576: (state = BLOCKED)
 - a.A.b(long) @bci=3, line=7 (Compiled frame)

----------------- 29 -----------------
0x00007f1f2b3c\t__read + 0x2d
0x00007f1f2b3d\t* a.A.a(long[]) bci:3 line:5 (Interpreted frame)
`;

const sampled = `Leanscope sampling: run=1 at=0.000 took=2.000 stopped=1.000 interval=20.000 share=0.010
2026-11-20T10:00:00.015Z
Full thread dump OpenJDK (21):

"main" #1 prio=5 tid=0x01 nid=29 runnable
   java.lang.Thread.State: RUNNABLE
\tat a.A.b(A.java:7)
\t...

Leanscope sampling ended: the JVM has ended
`;

const behind = (prefix: string, text: string): string => text.replace(/^/gm, prefix);
const inRecords = (text: string): string =>
  text
    .split('\n')
    .map((line) => `${JSON.stringify({ log: `${line}\n`, stream: 'stdout' })}\n`)
    .join('');
/** Dumps of several containers, and one in a record. */
const collected = `${behind('2024-02-03T10:00:00.5Z ', first)}\na line\n${behind('shop-1  | ', second)}\n{"log":"x\\n"}\n${inRecords(first)}`;

testFormatLaws({
  format: THREAD_DUMP,
  small: [
    first + second,
    second + first,
    toFile + toFile,
    dialects,
    agent,
    sampled + sampled,
    collected,
    inRecords(second),
    behind('  ', toFile),
  ].map((text) => new TextEncoder().encode(text)),
  large: ['jstack-1', 'jstack-2', 'jcmd-thread-print'].map(
    (name) => new Uint8Array(readFileSync(`test/golden/thread-dump/${name}.txt`)),
  ),
  chosen: [{}, { state: 'RUNNABLE' }, { state: 'none' }, { state: 'RUNNABLE,BLOCKED' }],
});

const javacore = `0SECTION       THREADS subcomponent dump routine
1TIDATETIME    Date: 2024/10/01 at 08:30:00:123
1XMCURTHDINFO  Current thread
3XMTHREADINFO      "main" J9VMThread:0x1, java/lang/Thread:0x3, state:R, prio=5
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/A.main(A.java:7)
1XMTHDINFO     Thread Details
3XMTHREADINFO      "main" J9VMThread:0x1, java/lang/Thread:0x3, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMCPUTIME               CPU usage total: 6.5 secs
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at a/B.add(B.java:1505(Compiled Code))
4XESTACKTRACE                at a/A.main(A.java:7)
3XMTHREADINFO3           Native callstack:
3XMTHREADINFO      Anonymous native thread
`;

testFormatLaws({
  format: JAVACORE,
  small: [javacore, javacore + javacore.replace('08:30:00', '08:30:01')].map((text) =>
    new TextEncoder().encode(text),
  ),
});

const json = [
  {
    threadDump: {
      time: '2026-01-25T15:46:04Z',
      processId: '1',
      threadContainers: [
        {
          threads: [
            { tid: '1', name: 'main', stack: ['java.base/a.A.b(Native Method)', 'a.A.a(A.java:7)'] },
            { tid: 21, name: '', virtual: true, state: 'WAITING', stack: ['a.A.serve(A.java:9)'] },
            { name: 'none' },
          ],
        },
      ],
    },
  },
  {
    threads: [
      {
        threadName: 'http',
        threadId: 20,
        threadState: 'RUNNABLE',
        stackTrace: [
          { className: 'a.A', methodName: 'b', fileName: 'A.java', lineNumber: 47 },
          { className: 'a.A', methodName: 'a', fileName: null, lineNumber: -2, nativeMethod: true },
        ],
      },
    ],
  },
];

testFormatLaws({
  format: THREAD_DUMP_JSON,
  small: [
    ...json.map((value) => JSON.stringify(value)),
    json.map((value) => JSON.stringify(value)).join('\n'),
  ].map((text) => new TextEncoder().encode(text)),
  chosen: [{}, { state: 'RUNNABLE' }],
});
