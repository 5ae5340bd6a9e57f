import { readFileSync } from 'node:fs';
import { HPROF, HPROF_TEXT } from '../../shared/formats/hprof/format.ts';
import { testFormatLaws } from '../support/format-laws.ts';
import { hprofFile, hprofRecords } from '../support/hprof-bytes.ts';

const chosen = [{}, { period: '10' }, { cut: 'off' }];

function binary(idSize: 4 | 8): Uint8Array {
  const { string, loadClass, frame, trace, startThread, endThread, cpuSamples, settings, record } =
    hprofRecords(idSize, idSize);
  return hprofFile(
    { idSize, magic: 'JAVA PROFILE 1.0.1', millis: 1_371_165_383_000 },
    settings(2, 3),
    ...['main', 'system', 'Shop', 'sell', 'Shop.java', 'gc/Root', 'run'].map((text, at) =>
      string(at + 1, text),
    ),
    startThread(7, 1, 1, 2),
    loadClass(1, 3),
    loadClass(2, 6),
    frame(11, 4, 5, 1, 12),
    frame(12, 4, 5, 1, 13),
    frame(13, 7, 0, 2, -3),
    record(0x07, Buffer.alloc(24)),
    trace(301, 7, 11, 13),
    trace(302, 7, 12, 11, 13),
    trace(303, 8, 13),
    trace(304, 7),
    cpuSamples(3, [2, 301], [1, 302]),
    record(0x99, Buffer.from('unknown')),
    endThread(7),
    cpuSamples(11, [4, 301], [3, 302], [2, 303], [1, 304]),
  );
}

const snapshot = (): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from('Version: 3\nModule: shop\n\n'), binary(4)]));

testFormatLaws({
  format: HPROF,
  small: [binary(4), binary(8), snapshot()],
  large: [readFileSync('test/golden/hprof/shallow-depth4.hprof')],
  chosen,
});

const android = `THREAD START (obj=1, id = 200001, name="main", group="main")
THREAD START (obj=2, id = 200002, name="a "b", group="x", group="null")
TRACE 300017: (thread=200001)
\tjava.base@17.0.15/java.lang.Thread.sleep(Native Method)
\tapp//Gen.main(Gen.java:80)
TRACE 300018: (thread=200002)
\tShop$$Lambda$14/0x00007f8ee0005510.run(Unknown Source)
\tShop.sell(Shop.java)
THREAD END (id = 200002)
CPU SAMPLES BEGIN (total = 5) Fri Nov 20 11:30:22 2026
rank   self  accum   count trace method
   1 60.00% 60.00%       3 300017 java.lang.Thread.sleep
   2 40.00% 100.00%       2 300018 Shop$$Lambda$14/0x00007f8ee0005510.run
CPU SAMPLES END
`;

const agent = `JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013

THREAD START    marks the birth of a thread
--------

THREAD START (obj=5000016b, id = 200001, name="main", group="")
TRACE 300993:
\tjava.lang.ClassLoader.defineClass1(ClassLoader.java:Unknown line)
\tHplTest.doit\u00e9(<Unknown Source>:Native method)
TRACE 300994: (thread=200001) (from exit phase of JVM)
\t<empty>
SITES BEGIN (ordered by live bytes)
   1 13.04% 13.04%
SITES END
CPU TIME (ms) BEGIN (total = 200) Fri Jun 14 01:32:40 2013
rank   self  accum   count trace method
   1 45,49% 45,49%      30 300993 java.lang.ClassLoader.defineClass1
   2  0,30% 45,79%       1 300994 <empty trace>
CPU TIME (ms) END
`;

testFormatLaws({
  format: HPROF_TEXT,
  small: [android, agent].map((text) => Buffer.from(text)),
  large: ['small-main.hprof.txt', 'shallow-depth4.android.hprof.txt'].map((name) =>
    readFileSync(`test/golden/hprof/${name}`),
  ),
  chosen: [{}, { cut: 'off' }],
});
