import { expect, test } from 'vitest';
import { readThreadHeader } from '../../../shared/formats/thread-dump/thread-header.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { stackCounts } from '../../support/stack-counts.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Stacks of a text that is recognised as in the program, each with the thread, root first. */
const stacks = (input: string | Uint8Array, state?: string): string[] => {
  const bytes = typeof input === 'string' ? bytesOf(input) : input;
  const read = readInput(bytes, state === undefined ? {} : { state });
  const { accepted, skipped, pending } = read.decoder.bytes;
  expect([accepted + skipped, pending]).toEqual([bytes.length, 0]);
  return Object.keys(stackCounts(read.profile));
};
const notes = (input: string): readonly string[] => readInput(bytesOf(input)).decoder.facts().notes;

const FRAMES = '\tat a.B.wait(B.java:5)\n\tat a.A.main(A.java:7)\n';
const STACK = 'a.A.main:7;a.B.wait:5';

test('first lines of threads in every form', () => {
  const header = (line: string): string => {
    const found = readThreadHeader(line);
    return found === undefined ? 'none' : `${found.name} | ${found.number} | ${found.state}`;
  };
  expect(header('"Timer-180" - Thread t@332')).toBe('Timer-180 | 332 | undefined');
  expect(header('"main" Id=1 WAITING on java.lang.Object@7311acb7')).toBe('main | 1 | WAITING');
  expect(header('"a" prio=5 Id=12 BLOCKED on a.B@1 owned by "b" Id=13')).toBe('a | 12 | BLOCKED');
  expect(header('"ajp-1" id=3149 in RUNNABLE (running in native)')).toBe('ajp-1 | 3149 | RUNNABLE');
  expect(header('"pool" id=20 state=TIMED_WAITING')).toBe('pool | 20 | TIMED_WAITING');
  expect(header('"http-1" Id=20 cpu=300 ns usr=0 ns blocked 0 for -1 ms waited 1 for -1 ms')).toBe(
    'http-1 | 20 | undefined',
  );
  expect(header('"Executor #0 for x : building" Id=12 Group=main RUNNABLE (in native)')).toBe(
    'Executor #0 for x : building | 12 | RUNNABLE',
  );
  expect(header('"w" daemon prio=8 tid=01233c80 nid=38 lwp_id=3194127 waiting on condition [5d..5e]')).toBe(
    'w | undefined | WAITING',
  );
  expect(header('"w" prio=10 tid=0x0003f690 nid=74 lwp_id=35 waiting for monitor entry [0x1..0x2]')).toBe(
    'w | undefined | BLOCKED',
  );
  expect(header('"AWT" prio=0 tid=0x0 nid=0x0 runnable')).toBe('AWT | undefined | RUNNABLE');
  expect(header('"GET / HTTP/1.1" 200 345')).toBe('none');
});

test('each form is recognised by itself, and its stacks are read', () => {
  for (const first of [
    '"main" - Thread t@1\n   java.lang.Thread.State: WAITING on a.B@1',
    '"main" Id=1 WAITING on a.B@1',
    '"main" id=1 in WAITING',
    '"main" nid=1 in WAITING on lock=a.B@1',
    '"main" id=1 state=WAITING\n    - waiting on <0x1> (a a.B)',
    '"main" prio=5 tid=01233c80 nid=38 lwp_id=3194127 waiting on monitor [5ddc0000..5ddc0500]',
    '"main" prio=0 tid=0x0 nid=0x0 waiting on condition\n     java.lang.Thread.State: WAITING\n on a.B@1',
    // Its state is enough, whatever the rest is.
    '"main" (something new)\n   java.lang.Thread.State: WAITING',
  ])
    expect([first, stacks(`${first}\n${FRAMES}\n`, 'WAITING')]).toEqual([first, [`main;${STACK}`]]);
});

test('IntelliJ: an empty line between state and stack', () => {
  const text = `"AWT" prio=0 tid=0x0 nid=0x0 runnable\n     java.lang.Thread.State: RUNNABLE\n (in native)\n\n${FRAMES}\n"b" prio=0 tid=0x0 nid=0x0 runnable\n     java.lang.Thread.State: RUNNABLE\n\n${FRAMES}`;
  expect(stacks(text)).toEqual([`AWT;${STACK}`, `b;${STACK}`]);
});

test('jstack -F and jhsdb jstack, also with native frames', () => {
  const forced = `Attaching to process ID 7370, please wait...
Deadlock Detection:

No deadlocks found.

Thread 8393: (state = BLOCKED)
 - a.B.wait(java.lang.Object, long) @bci=63, line=5 (Compiled frame; information may be imprecise)
 - a.A.main(java.lang.String[]) @bci=8, line=7 (Interpreted frame)


Thread 8394: (state = IN_NATIVE)
 - a.B.read() @bci=0 (Interpreted frame)
`;
  expect(stacks(forced)).toEqual([`thread 8393;${STACK}`, 'thread 8394;a.B.read']);
  expect(stacks(forced, 'RUNNABLE')).toEqual(['thread 8394;a.B.read']);
  expect(stacks(forced + forced)).toHaveLength(2);
  // JDK 5 on Solaris, and on Windows.
  for (const number of ['t@8393', '0x20c9'])
    expect(stacks(forced.replace('8393', number))[0]).toBe(`thread ${number.replace('t@', '')};${STACK}`);
  const mixed = `----------------- 29 -----------------
"main" #1 prio=5 tid=0x01 nid=29 runnable [0x0]
   java.lang.Thread.State: RUNNABLE
   JavaThread state: _thread_in_native
0x00007f1f2b3c\t__read + 0x2d
0x00007f1f2b3d\t* a.A.main(java.lang.String[]) bci:3 line:7 (Interpreted frame)
----------------- 30 -----------------
0x00007f1f2b3e\tclone + 0x3f
`;
  expect(stacks(mixed)).toEqual(['main;a.A.main:7;.__read', 'thread 30;.clone']);
});

test('a dump in the output of a server, far from its beginning, and behind the prefix of a wrapper', () => {
  const dump = `Full thread dump OpenJDK (17):\n\n"main" #1 prio=5 tid=0x01 nid=0x02 runnable\n${FRAMES}\n`;
  const line = '10:00:00 INFO  [main] "GET /shop HTTP/1.1" 200 345 served; in 17 ms\n';
  for (const lines of [1, 60, 3_000]) expect(stacks(line.repeat(lines) + dump)).toEqual([`main;${STACK}`]);
  const wrapped = dump.replace(/^/gm, 'INFO   | jvm 1    | 2008/11/20 09:28:02 | ');
  expect(stacks(wrapped)).toEqual([`main;${STACK}`]);
});

test('a NUL in the name of a thread is part of it; before the first line of a dump it is no text', () => {
  const dump = `Full thread dump OpenJDK (17):\n\n"a\0b" #1 prio=5 tid=0x01 nid=0x02 runnable\n${FRAMES}\n`;
  expect(stacks(dump)).toEqual([`a\0b;${STACK}`]);
  expect(() => stacks(`\0\0\n${dump}`)).toThrow('binary data');
});

test('UTF-16, with and without byte order mark', () => {
  const text = `2024-08-20 14:25:30\nFull thread dump OpenJDK (21):\n\n"mäin" #1 prio=5 tid=0x01 nid=0x02 runnable\r\n${FRAMES.trimEnd()}`;
  const little = new Uint8Array(Buffer.from(text, 'utf16le'));
  const big = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  const marked = (mark: number[], bytes: Uint8Array): Uint8Array => Uint8Array.from([...mark, ...bytes]);
  for (const input of [
    little,
    big,
    marked([0xff, 0xfe], little),
    marked([0xfe, 0xff], big),
    marked([0xef, 0xbb, 0xbf], bytesOf(text)),
  ])
    expect(stacks(input)).toEqual([`mäin;${STACK}`]);
});

test('blocks that look like threads and are not understood are counted', () => {
  const text = `Full thread dump X:\n\n"main" #1 prio=5 tid=0x01 nid=0x02 runnable\n${FRAMES}\nThread <one>, RUNNABLE\n${FRAMES}\n"VM" (unknown)\n\nCoroutine thread #2\n${FRAMES}\njava.lang.IllegalStateException: no thread\n${FRAMES}`;
  expect(stacks(text)).toEqual([`main;${STACK}`]);
  expect(notes(text)).toContain(
    '3 blocks not counted. Blocks that look like threads have a first line in an unknown form.',
  );
});

test('a dump of which nothing can be read is exit 1, and says so', async () => {
  const unknown = `Full thread dump X:\n\nThread <one>, RUNNABLE\n${FRAMES}\n`;
  const { status, stderr } = await runCli(['summary', '-'], { stdin: bytesOf(unknown) });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(
      'a thread dump in an unknown form: 1 block looks like a thread, and it cannot be read',
    ),
  ]);
  const empty = await runCli(['summary', '-'], { stdin: bytesOf('Full thread dump X:\n\n') });
  expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining('a thread dump without threads')]);
});
