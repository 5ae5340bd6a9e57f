import { readFileSync } from 'node:fs';
import { THREAD_DUMP } from '../../shared/formats/thread-dump/format.ts';
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

testFormatLaws({
  format: THREAD_DUMP,
  small: [first + second, second + first, toFile + toFile].map((text) => new TextEncoder().encode(text)),
  large: ['jstack-1', 'jstack-2', 'jcmd-thread-print'].map(
    (name) => new Uint8Array(readFileSync(`test/golden/thread-dump/${name}.txt`)),
  ),
  chosen: [{}, { state: 'RUNNABLE' }, { state: 'none' }],
});
