import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding, FindingsAnswer } from '../../../shared/findings/finding.ts';
import { CHECKS } from '../../../shared/findings/check-list.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { timedStacks } from '../../support/timed-stacks.ts';

/** A stack, root first, and its samples. In `late` profiles the lines are taken one after another. */
type Stacks = string;

interface Case {
  /** It fires, and with this level and this own frame. */
  readonly fires: Stacks;
  readonly level: Finding['level'];
  readonly where?: string;
  readonly subject?: string;
  /** Looks like it, and is silent. */
  readonly nearMiss: Stacks;
  /** What its doubt is about: it fires, and must say so. */
  readonly doubt: Stacks;
  readonly isTimed?: boolean;
}

const WORK = 'com.acme.Main.main;com.acme.Shop.work';
/** Other work, in many methods. */
const rest = (samples: number): string =>
  Array.from({ length: 20 }, (_, at) => `${WORK};com.acme.Other.part${at} ${samples / 20}`).join('\n');

/** A check of frames on stacks: `hot` has them, `cold` is like it. */
function frames(hot: string, cold: string, doubt = hot): Case {
  const of = (stack: string, samples: number): string =>
    `${WORK};${stack} ${samples}\n${rest(1000 - samples)}`;
  return {
    fires: of(hot, 400),
    level: 'warn',
    where: 'com.acme.Shop.work',
    nearMiss: of(cold, 400),
    doubt: of(doubt, 400),
  };
}

/** A check of what is done in the second half: the near miss is the same in the first half. */
function late(hot: string): Case {
  const cause = `${WORK};${hot} 100`;
  return {
    fires: `${rest(500)}\n${cause}\n${rest(400)}`,
    level: 'warn',
    where: 'com.acme.Shop.work',
    nearMiss: `${rest(200)}\n${cause}\n${rest(700)}`,
    doubt: `${rest(900)}\n${cause}`,
    isTimed: true,
  };
}

const CASES: Readonly<Record<string, Case>> = {
  F1: {
    fires: `com.acme.Main.main;com.acme.Shop.rank 500\n${rest(500)}`,
    level: 'warn',
    where: 'com.acme.Shop.rank',
    subject: 'com.acme.Shop.rank',
    nearMiss: `com.acme.Main.main;com.acme.Shop.rank;com.acme.A.a 250\ncom.acme.Main.main;com.acme.Shop.rank 100\n${rest(2000)}`,
    doubt: `com.acme.Main.main;com.acme.Shop.loop;com.acme.Shop.inlined 400\n${rest(600)}`,
  },
  F2: {
    fires: `com.acme.Main.main;com.acme.Shop.rank:17 400\ncom.acme.Main.main;com.acme.Shop.rank:18 100\n${rest(500)}`,
    level: 'info',
    where: 'com.acme.Shop.rank',
    subject: 'com.acme.Shop.rank:17',
    nearMiss: `com.acme.Main.main;com.acme.Shop.rank:17 250\ncom.acme.Main.main;com.acme.Shop.rank:18 250\n${rest(500)}`,
    doubt: `com.acme.Main.main;com.acme.Shop.rank:17 100\ncom.acme.Main.main;com.acme.Shop.rank:18 40\n${rest(860)}`,
  },
  F3: frames(
    'java.lang.String.split;java.util.regex.Pattern.compile;java.util.regex.Pattern.expr',
    'java.util.regex.Matcher.find;java.util.regex.Pattern$Loop.match',
  ),
  F4: frames(
    Array.from({ length: 40 }, () => 'java.util.regex.Pattern$Loop.match').join(';'),
    Array.from({ length: 29 }, () => 'java.util.regex.Pattern$Loop.match').join(';'),
  ),
  F5: frames('java.lang.String.format;java.util.Formatter.format', 'java.lang.StringBuilder.append'),
  F6: frames(
    'java.lang.AbstractStringBuilder.ensureCapacityInternal;java.util.Arrays.copyOf',
    'java.util.concurrent.CopyOnWriteArrayList.add;java.util.Arrays.copyOf',
  ),
  F7: frames(
    'java.lang.Throwable.<init>;java.lang.Throwable.fillInStackTrace',
    'java.lang.Throwable.getMessage',
  ),
  F8: late('java.lang.Class.getDeclaredMethods;java.lang.Class.copyMethods'),
  F9: late('java.lang.ClassLoader.loadClass;java.lang.ClassLoader.findLoadedClass'),
  F10: late('java.lang.invoke.MethodHandleNatives.linkCallSite'),
  F11: {
    ...frames('java.lang.Integer.valueOf', 'java.lang.Integer.parseInt'),
    level: 'info',
  },
  F12: frames('java.util.HashMap.getNode;java.util.HashMap$TreeNode.find', 'java.util.HashMap.getNode'),
  F13: {
    ...frames('java.util.HashMap.hash;com.acme.Key.hashCode', 'com.acme.Key.hashCode'),
    where: 'com.acme.Key.hashCode',
  },
  F14: frames('java.util.ArrayList.contains;java.util.ArrayList.indexOf', 'java.util.HashSet.contains'),
  F15: frames('ch.qos.logback.classic.Logger.info', 'com.acme.audit.Logger.info'),
  F16: frames('ch.qos.logback.classic.spi.CallerData.extract', 'ch.qos.logback.classic.Logger.info'),
  F17: late('com.fasterxml.jackson.databind.ObjectMapper.<init>'),
  F18: frames('sun.security.ssl.ClientHandshaker.process', 'sun.security.ssl.SSLSocketImpl.write'),
  F19: late('java.text.SimpleDateFormat.<init>'),
  F20: frames('java.util.zip.Deflater.deflate', 'java.util.zip.CRC32.update'),
  F21: {
    ...frames(
      Array.from({ length: 60 }, () => 'com.acme.Tree.walk;com.acme.Tree.visit').join(';'),
      Array.from({ length: 45 }, () => 'com.acme.Tree.walk;com.acme.Tree.visit').join(';'),
    ),
    level: 'info',
    where: 'com.acme.Tree.visit',
  },
  F22: {
    fires: `(truncated);com.acme.Shop.work 400\n${rest(600)}`,
    level: 'warn',
    nearMiss: `(truncated);com.acme.Shop.work 5\n${rest(995)}`,
    doubt: `(truncated);com.acme.Shop.work;com.acme.A.a 50\n${rest(950)}`,
  },
  F30: {
    fires: `com.acme.Main.main;AGCT.UnknownJava5 400\n${rest(600)}`,
    level: 'warn',
    nearMiss: `com.acme.Main.main;AGCT.UnknownJava5 9\n${rest(991)}`,
    doubt: `AGCT.NoJavaFramesErr0 400\n${rest(600)}`,
  },
  F31: {
    fires: `${rest(500)}\n${WORK};com.acme.Job.nightly 60\n${rest(440)}`,
    level: 'info',
    where: 'com.acme.Job.nightly',
    subject: 'com.acme.Job.nightly',
    nearMiss: Array.from({ length: 30 }, () => `${rest(40)}\n${WORK};com.acme.Job.nightly 4`).join('\n'),
    doubt: `${rest(300)}\n${WORK};com.acme.Job.nightly 60\n${rest(640)}`,
    isTimed: true,
  },
  F32: {
    fires: `com.acme.Main.main;java.lang.Object.wait 990\n${rest(20)}`,
    level: 'info',
    where: 'com.acme.Main.main',
    nearMiss: `com.acme.Main.main;java.lang.Object.wait 850\n${rest(200)}`,
    doubt: `com.acme.Server.loop;sun.nio.ch.EPoll.wait 1000\n${rest(20)}`,
  },
  F33: frames(
    'java.util.concurrent.ThreadPoolExecutor$CallerRunsPolicy.rejectedExecution;com.acme.Task.run',
    'java.util.concurrent.ThreadPoolExecutor$Worker.run;com.acme.Task.run',
  ),
  F34: frames('java.util.TimSort.sort', 'com.acme.Sorter.sort'),
};

/** What the doubt of each check is about: the case for which it is there. */
const DOUBTS: Readonly<Record<string, RegExp>> = {
  F1: /inline/,
  F2: /DebugNonSafepoints/,
  F3: /new each time/,
  F4: /Long inputs/,
  F5: /reports/,
  F6: /large result/,
  F7: /outage/,
  F8: /start late/,
  F9: /first time/,
  F10: /warming up/,
  F11: /interpreted/,
  F12: /by design/,
  F13: /Long keys/,
  F14: /short lists/,
  F15: /purpose/,
  F16: /None is known/,
  F17: /First requests/,
  F18: /many hosts/,
  F19: /differ/,
  F20: /wanted/,
  F21: /recursive by nature/,
  F22: /Self values/,
  F30: /Threads of the JVM/,
  F31: /load itself/,
  F32: /idle server/,
  F33: /slow down/,
  F34: /complete order/,
};

/** Checks of what stacks do not tell: `measured-checks.test.ts`. */
const ELSEWHERE = ['F23', 'F24', 'F25', 'F26'];

async function answerTo(stacks: Stacks, isTimed = false): Promise<FindingsAnswer> {
  const stdin = Buffer.from(isTimed ? timedStacks(stacks) : `${stacks}\n`);
  const { stdout, stderr } = await runCli(['findings', '-', '--json'], { stdin });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as FindingsAnswer;
}

test('each check has its cases', () => {
  expect([...Object.keys(CASES), ...ELSEWHERE].sort()).toEqual(CHECKS.map(({ id }) => id).sort());
});

describe.each(Object.entries(CASES))(
  '%s',
  (id, { fires, level, where, subject, nearMiss, doubt, isTimed }) => {
    const findingsOf = async (stacks: Stacks): Promise<readonly Finding[]> => {
      const { findings, checked } = await answerTo(stacks, isTimed);
      expect(checked).toContain(id);
      return findings.filter((finding) => finding.id === id);
    };

    test('fires', async () => {
      const [finding] = await findingsOf(fires);
      expect(finding).toMatchObject({ level, ...(subject !== undefined && { subject }) });
      expect(finding.where[0]?.key).toBe(where);
      expect(finding.share.low).toBeLessThanOrEqual(finding.share.value);
      expect(finding.samples).toBeGreaterThanOrEqual(30);
      expect(finding.evidence.stacks[0].frames.length).toBeGreaterThan(0);
    });

    test('is silent where something is only like it', async () => {
      expect(await findingsOf(nearMiss)).toEqual([]);
    });

    test('says when it is wrong', async () => {
      const [finding] = await findingsOf(doubt);
      expect(finding.doubt).toMatch(DOUBTS[id]);
      expect(finding.next).not.toBe('');
    });
  },
);

test('a finding has thirty samples, and the lower end of its interval is above the threshold', async () => {
  const hot = (samples: number, all: number): string =>
    `${WORK};java.util.TimSort.sort ${samples}\n${rest(all - samples)}`;
  const levels = async (stacks: string): Promise<unknown> =>
    (await answerTo(stacks)).findings.filter(({ id }) => id === 'F34').map(({ level }) => level);
  expect(await levels(hot(29, 49))).toEqual([]);
  expect(await levels(hot(31, 51))).toEqual(['warn']);
  expect(await levels(hot(120, 1120))).toEqual([]);
  expect(await levels(hot(1200, 10200))).toEqual(['info']);
});

test('what happens only in the first tenth of the time is the start of the program', async () => {
  const cause = `${WORK};java.util.regex.Pattern.compile 90`;
  const ids = async (stacks: string): Promise<readonly string[]> =>
    (await answerTo(stacks, true)).findings.map(({ id }) => id);
  expect(await ids(`${cause}\n${rest(1000)}`)).not.toContain('F3');
  expect(await ids(`${rest(200)}\n${cause}\n${rest(800)}`)).toContain('F3');
});

test('a recursive stack counts once, and errors and waiting threads are no part of the whole, which says so', async () => {
  const half = `${WORK};java.util.TimSort.sort;com.acme.A.a;java.util.TimSort.sort 100\n${rest(100)}`;
  const waiting = 'com.acme.Main.main;java.lang.Thread.sleep 500';
  const error = 'AGCT.UnknownJavaErr5 300';
  const told = async (...stacks: readonly string[]): Promise<readonly (string | number | undefined)[]> => {
    const { findings, whole } = await answerTo(stacks.join('\n'));
    const sorting = findings.find(({ id }) => id === 'F34');
    return [sorting?.share.value, sorting?.of, whole];
  };
  expect(await told(half)).toEqual([0.5, 'samples', undefined]);
  for (const [of, ...others] of [
    ['samples of running threads', waiting],
    ['samples with a stack', error],
    ['samples of running threads with a stack', waiting, error],
  ])
    expect(await told(half, ...others)).toEqual([0.5, of, of]);
});

test('a check that the times of samples are needed for is not assessed without them', async () => {
  const { checked, notAssessed } = await answerTo(rest(1000));
  expect(checked).not.toContain('F9');
  expect(notAssessed.find(({ id }) => id === 'F9')?.why).toBe(
    'the file does not record when each sample was taken',
  );
  expect([...checked, ...notAssessed.map(({ id }) => id)].sort()).toEqual(CHECKS.map(({ id }) => id).sort());
});

test('threads of the JVM, which never have a stack, lose none', async () => {
  const ids = async (thread: string): Promise<readonly string[]> =>
    (
      await answerTo(`[main tid=1];com.acme.Main.main 600\n[${thread}];AGCT.NoJavaFramesErr0 400`)
    ).findings.map(({ id }) => id);
  expect(await ids('main tid=1')).toContain('F30');
  expect(await ids('C2 tid=2')).not.toContain('F30');
});

test('in a comparison a finding is told whose share grew beyond chance, and no other', async () => {
  const folder = temporaryFolder();
  const write = (name: string, compiled: number, sorted: number): string => {
    const path = join(folder, name);
    const stacks = [
      `${WORK};java.util.regex.Pattern.compile ${compiled}`,
      `${WORK};java.util.TimSort.sort ${sorted}`,
    ];
    writeFileSync(path, `${[...stacks, rest(1000 - compiled - sorted)].join('\n')}\n`);
    return path;
  };
  const [base, next] = [write('base.collapsed', 20, 300), write('new.collapsed', 120, 305)];
  const report = (await runCli(['compare', base, next])).stdout;
  const grown = report.split('\n').filter((line) => line.startsWith('Finding that grew'));
  expect(grown).toEqual([
    expect.stringMatching(
      /^Finding that grew: F3 Regular expressions .*: 2\.0 % to 12\.0 % of samples, 95 % interval \+7\.\d\d to \+12\.\d\d points, in com\.acme\.Shop\.work\.$/,
    ),
  ]);
  expect((await runCli(['compare', next, base])).stdout).not.toContain('Finding that grew');
  expect((await runCli(['compare', base, next, '--format', 'report-html'])).stdout).toContain(
    'Finding that grew: F3',
  );
});

const of = async (id: string, stacks: Stacks, isTimed = false): Promise<Finding | undefined> =>
  (await answerTo(stacks, isTimed)).findings.find((finding) => finding.id === id);

test('a line of the JDK is no finding: it cannot be changed, and that of an intrinsic tells nothing', async () => {
  const line = (method: string): string => `${WORK};${method}:17 400\n${WORK};${method}:18 100\n${rest(500)}`;
  expect(await of('F2', line('com.acme.Shop.rank'))).toBeDefined();
  expect(await of('F2', line('java.lang.StringLatin1.charAt'))).toBeUndefined();
});

test('a finding of few samples says how many, and one without times that it may be of the start', async () => {
  const formatted = (samples: number): string =>
    `${WORK};java.lang.String.format;java.util.Formatter.format ${samples}\n${rest(samples * 9)}`;
  expect((await of('F5', formatted(60)))?.doubt).toMatch(/ It rests on 60 samples\.$/);
  expect((await of('F5', formatted(200)))?.doubt).toMatch(/may be of the start of the program\.$/);
  const isTimed = `${rest(500)}\n${formatted(200)}\n${rest(500)}`;
  const timed = await of('F5', isTimed, true);
  expect(timed?.doubt).toBeDefined();
  expect(timed?.doubt).not.toMatch(/start|rests/);
});

test('a burst at the beginning may be the start of the program', async () => {
  const mixed = (samples: number): string => Array.from({ length: samples / 20 }, () => rest(20)).join('\n');
  const at = (before: number): string =>
    `${mixed(before)}\n${WORK};com.acme.Report.run 600\n${mixed(1600 - before)}`;
  const [early, late] = [await of('F31', at(100), true), await of('F31', at(1000), true)];
  expect([early?.subject, late?.subject]).toEqual(['com.acme.Report.run', 'com.acme.Report.run']);
  expect(early?.doubt).toContain('the start of the program');
  expect(late?.doubt).not.toContain('the start of the program');
});

test('what looks like a burst is none where stacks are cut off at other times: the method may be on them', async () => {
  const burst = (other: string): string => {
    const usual = `${WORK};com.acme.Report.run 10\n${other} 550\n${rest(440)}`;
    return `${usual}\n${WORK};com.acme.Report.run 200\n${rest(200)}\n${usual}`;
  };
  expect(await of('F31', burst(`${WORK};java.util.Map.get`), true)).toMatchObject({
    subject: 'com.acme.Report.run',
  });
  expect(await of('F31', burst('(truncated);java.util.Map.get'), true)).toBeUndefined();
  // The method that is the program's own is known where it is not cut off.
  expect(await of('F31', burst('(truncated);com.acme.Other.work;java.util.Map.get'), true)).toBeDefined();
});

test('numbers that are too large for samples are judged as none', async () => {
  const lines = `${WORK};java.lang.String.format;java.util.Formatter.format 4000000000\n${WORK} 5000000000\n`;
  const { findings, notAssessed } = await answerTo(lines);
  expect(findings).toEqual([]);
  expect(notAssessed.find(({ id }) => id === 'F5')?.why).toBe('these are not samples of running threads');
});
