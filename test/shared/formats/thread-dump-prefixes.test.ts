import { expect, test } from 'vitest';
import { detectFormat } from '../../../shared/input/detect-format.ts';
import { readInput } from '../../support/read-input.ts';
import { stackCounts } from '../../support/stack-counts.ts';

// What container logs, log collectors and people write before each line of a thread dump.

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Stacks, locks and the time of the first dump: all that a prefix could spoil. */
const picture = (input: string): unknown => {
  const { format, decoder, profile } = readInput(bytesOf(input));
  const { accepted, skipped, pending } = decoder.bytes;
  expect([accepted + skipped, pending]).toEqual([bytesOf(input).length, 0]);
  const { firstTime, lastTime, tables } = decoder.facts();
  const states = tables.find(({ title }) => title === 'States')?.rows;
  const locks = tables.find(({ title }) => title.startsWith('Locks'))?.rows;
  return { format, stacks: stackCounts(profile), firstTime, lastTime, states, locks };
};

const HOTSPOT = `2026-11-27 12:00:00
Full thread dump OpenJDK 64-Bit Server VM (21.0.5+11-LTS mixed mode, sharing):

"main" #1 [101] prio=5 os_prio=0 cpu=84.81ms elapsed=3.73s tid=0x00007f338c02a810 nid=101 sleeping [0x00007f3391fd3000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep0(java.base@21.0.5/Native Method)
	at com.acme.Main.main(Main.java:21)

"worker "2"" #13 [103] daemon prio=5 os_prio=0 cpu=4.81ms elapsed=3.73s tid=0x00007f338c02c810 nid=103 waiting for monitor entry  [0x00007f3391dd3000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at com.acme.Work.locked(Work.java:17)
	- waiting to lock <0x000000069ec184d0> (a java.lang.Object)
	at java.lang.Thread.run(java.base@21.0.5/Thread.java:1583)

"VM Thread" os_prio=0 cpu=1.43ms elapsed=3.71s tid=0x00007f338c0b0220 nid=99 runnable

JNI global refs: 146, weak refs: 306

`;
const JDK_6 = `Full thread dump Java HotSpot(TM) Server VM (1.5.0_22-b03 mixed mode):

"main" prio=1 tid=0x08059a98 nid=0x3e2 waiting on condition [0xbfffc000..0xbfffd798]
	at java.lang.Thread.sleep(Native Method)
	at com.acme.Main.main(Main.java:21)
`;
const THREAD_INFO = `"main" prio=5 Id=1 RUNNABLE
	at com.acme.Main.main(Main.java:21)

"worker" prio=5 Id=13 BLOCKED on java.lang.Object@1a2b owned by "main" Id=1
	at com.acme.Work.locked(Work.java:17)
	-  blocked on java.lang.Object@1a2b

`;
const TO_FILE = `4711
2026-11-27T23:11:09.683736425Z
25.0.3+9-LTS

#1 "main" TIMED_WAITING 2026-11-27T23:11:09.786138724Z
    at java.base/java.lang.Thread.sleep(Thread.java:540)
    at com.acme.Main.main(Main.java:21)

#226 "" virtual BLOCKED 2026-11-27T23:11:09.852321161Z
    at com.acme.Work.enter(Work.java:12)
    - waiting to lock <java.lang.Object@1a3f77e7>
    at java.base/java.lang.VirtualThread.run(VirtualThread.java:460)

`;
const TO_FILE_21 = `4711
2026-11-27T23:11:09.683736425Z
21.0.3+9-LTS

#1 "main"
      java.base/java.lang.Thread.sleep(Thread.java:540)
      com.acme.Main.main(Main.java:21)

#226 "" virtual
      com.acme.Work.enter(Work.java:12)

`;
const AGENT = `Attaching to process ID 4576, please wait...
JVM version is 1.5.0_22-b03
Thread 4576: (state = BLOCKED)
 - java.lang.Thread.sleep(long) @bci=0 (Interpreted frame)
 - com.acme.Main.main(java.lang.String[]) @bci=8, line=21 (Interpreted frame)

Thread 4577: (state = IN_NATIVE)
 - com.acme.Work.read() @bci=0 (Interpreted frame)

`;
const JAVACORE = `0SECTION       TITLE subcomponent dump routine
NULL           ===============================
1TIDATETIME    Date: 2024/10/01 at 08:30:00:123
NULL
1XMTHDINFO     Thread Details
3XMTHREADINFO      "main" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
4XESTACKTRACE                at com/acme/Main.main(Main.java:21(Compiled Code))
NULL
`;
const DUMPS = { HOTSPOT, JDK_6, THREAD_INFO, TO_FILE, TO_FILE_21, AGENT, JAVACORE };

/** Wraps lines; the number of the line is from 0. */
type Wrap = (line: string, at: number) => string;
const two = (value: number): string => String(value).padStart(2, '0');
/** As Go prints it: without zeros at the end of the fraction, and without a fraction of zero. */
const goTime = (at: number): string =>
  `2026-11-27T23:${two(Math.floor(at / 60))}:${two(at % 60)}${['.593125143', '.5931', '', '.000000007'][at % 4]}Z`;

const WRAPS: Readonly<Record<string, Wrap>> = {
  'kubectl logs --timestamps': (line, at) => `${goTime(at)} ${line}`,
  'kubectl logs --prefix': (line) => `[pod/shop-7d9f8b6c5-x2x4z/java] ${line}`,
  'docker compose': (line) => `shop-1  | ${line}`,
  'docker compose in colours': (line) => `\x1b[36mshop-1  |\x1b[0m ${line}`,
  'docker compose -t': (line, at) => `shop-1  | ${goTime(at)} ${line}`,
  'journald and syslog': (line, at) =>
    `Nov ${at < 5 ? '30' : ' 1'} 23:59:${two(at % 60)} host-7 java[4711]: ${line}`,
  'syslog as of RFC 5424': (line, at) => `<13>1 ${goTime(at)} host-7 java 4711 - - ${line}`,
  'rsyslog, which escapes tabs': (line) => `Nov 27 23:11:10 host java[4711]: ${line.replace('\t', '#011')}`,
  'a log’s time and level': (line, at) => `[2026-11-27 23:11:10,${two(at)}3] INFO ${line}`,
  'a log with threads': (line, at) =>
    `23:11:10.${two(at)}3 [http-nio-8080-exec-1] ERROR c.a.Dumper - ${line}`,
  'a log that counts': (line, at) => `[${at + 7}] java: ${line}`,
  'unified logging': (line, at) => `[0.${two(at)}3s][info][dump] ${line}`,
  'Java Service Wrapper': (line) => `INFO   | jvm 1    | 2008/11/20 09:28:02 | ${line}`,
  Maven: (line) => `[INFO] ${line}`,
  CRI: (line, at) => `${goTime(at)} stdout F ${line}`,
  'a quotation': (line) => `> ${line}`,
  'a quotation of one, trimmed': (line) => `>> ${line}`.trimEnd(),
  'four blanks': (line) => `    ${line}`,
  'four blanks, trimmed': (line) => `    ${line}`.trimEnd(),
  'a tab': (line) => `\t${line}`,
  'no indentation': (line) => line.trim(),
  'no indentation behind a prefix': (line, at) => `${goTime(at)} ${line.trim()}`,
  'docker json-file': (line, at) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: goTime(at) }),
  'structured records': (line, at) =>
    JSON.stringify({ '@timestamp': goTime(at), level: 'INFO', message: line }),
  'json-file of a log': (line, at) =>
    JSON.stringify({
      log: `23:11:${two(at % 60)},123 INFO  [main] ${line}\n`,
      stream: 'stderr',
      time: goTime(at),
    }),
  'Windows line ends': (line, at) => `${goTime(at)} ${line}\r`,
};
const wrapped = (dump: string, wrap: Wrap): string =>
  dump.split('\n').slice(0, -1).map(wrap).join('\n') + '\n';

for (const [name, wrap] of Object.entries(WRAPS))
  test(`${name}: every dump is as without it`, () => {
    for (const [dialect, dump] of Object.entries(DUMPS)) {
      const expected = picture(dump);
      expect({ dialect, ...(picture(wrapped(dump, wrap)) as object) }).toEqual({
        dialect,
        ...(expected as object),
      });
      // Behind a log of the same output, and before one.
      const log = 'the shop is open\nGET /cart?id=7 "Mozilla" 200\n'.repeat(120);
      const inLog = wrapped(`${log}${dump}\n${log}`, wrap);
      expect({ dialect, ...(picture(inLog) as object) }).toEqual({ dialect, ...(expected as object) });
    }
  });

test('the dumps of a series behind prefixes', () => {
  const series = HOTSPOT + HOTSPOT.replace('12:00:00', '12:00:05');
  const expected = picture(series);
  for (const [name, wrap] of Object.entries(WRAPS))
    expect({ name, ...(picture(wrapped(series, wrap)) as object) }).toEqual({
      name,
      ...(expected as object),
    });
});

test('a dump in one record, its other lines without a prefix', () => {
  const head = '2026-11-27 23:11:10,593 INFO [main] c.a.Dumper - ';
  expect(picture(head + THREAD_INFO)).toEqual(picture(THREAD_INFO));
  expect(picture(`${head}\n${HOTSPOT}2026-11-27 23:11:11,593 INFO [main] c.a.Shop - "open"\n`)).toEqual(
    picture(HOTSPOT),
  );
  expect(picture(`${JSON.stringify({ message: THREAD_INFO })}\n`)).toEqual(picture(THREAD_INFO));
});

test('lines of another container between those of a dump do not end its stacks', () => {
  const lines = HOTSPOT.split('\n').slice(0, -1);
  const other = ['checkpoint complete', '\tat shop.Other.main(Other.java:1)', '', '"x" 2026-11-27 10:00:00'];
  const mixed = lines.map(
    (line, at) => `shop-1  | ${line}\nshop-2  | ${other[at % 4]}\ndb-1    | ${other[(at + 1) % 4]}`,
  );
  expect(picture(`${mixed.join('\n')}\n`)).toEqual(picture(HOTSPOT));
  // Then another one writes its dump.
  const second = HOTSPOT.replace('12:00:00', '12:00:05');
  const both =
    wrapped(HOTSPOT, (line) => `shop-1  | ${line}`) + wrapped(second, (line) => `shop-2  | ${line}`);
  expect(picture(both)).toEqual(picture(HOTSPOT + second));
});

test('logs without dumps are none', () => {
  const logs = [
    'Exception in thread "main" java.lang.IllegalStateException: no thread\n\tat shop.Shop.main(Shop.java:1)\n',
    'request "GET /a HTTP/1.1" id=5 state=RUNNABLE\n',
    'java.lang.IllegalStateException: "main" #1\n\tat shop.Shop.main(Shop.java:1)\n\tat java.lang.Thread.run(Thread.java:1)\n',
    'Caused by: java.io.IOException: closed by thread "http-1" id=17 in WAITING\n\tat shop.Shop.main(Shop.java:1)\n',
    'a Full thread dump was written to /tmp/dump.txt\n\tat shop.Shop.main(Shop.java:1)\n',
    'Full thread dump\nnothing follows\n',
    'order #12 "cart" BLOCKED\n\tat the till: (Shop.java:1)\n',
    '0SECTION is no word\nNULL is one of SQL\n',
    'level=INFO thread="main" tid=0x12 nid=3\n\tat shop.Shop.main(Shop.java:1)\n',
    '{"message":"java.lang.Error: x\\n\\tat shop.Shop.main(Shop.java:1)"}\n',
  ];
  for (const log of logs)
    for (const wrap of [...Object.values(WRAPS), (line: string) => `INFO ${line}`]) {
      const text = wrapped(log.repeat(30), wrap);
      // The line alone, at the beginning of a line, is what a VM writes.
      if (/^Full thread dump$/m.test(text)) continue;
      if (text.includes('"Full thread dump')) continue;
      const found = detectFormat(bytesOf(text), true);
      expect([found?.format, text.slice(0, 200)]).toEqual([undefined, text.slice(0, 200)]);
    }
});
