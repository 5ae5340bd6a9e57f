import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileSummary } from '../../../electron/cli/summary-command.ts';
import type { CompareData, TopData } from '../../../shared/answers/schemas.ts';
import type { FindingsAnswer } from '../../../shared/findings/finding.ts';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { goldenPath } from '../../support/read-log.ts';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';

test('the answer comes first: a sentence, the hot path, the hottest methods with their threads, findings', async () => {
  const lines = (await cliOutput('summary', RECORDING)).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    `file     ${RECORDING}`,
    '',
    expect.stringMatching(/^\d+\.\d % of CPU is in Work\.\w+, called by .*, \w.*$/) as string,
    '',
    'Hot path',
  ]);
  const part = (title: string): readonly string[] => {
    const from = lines.indexOf(title);
    return lines.slice(from + 1, lines.indexOf('', from));
  };
  const [, ...top] = (await cliOutput('top', RECORDING, '-n', '5')).trimEnd().split('\n');
  const [, ...methods] = part('Hottest methods');
  const self = (line: string): string => /[\d.]+ %/.exec(line)?.[0] ?? '';
  expect(methods.map(self)).toEqual(top.slice(0, 5).map(self));
  expect(methods[0]).toMatch(/ steady +demo\.shop\.\S+ +\S+ \d+ %/);
  expect(part('Not assessed')).toEqual([
    '  F24 Threads wait for a lock                  --choose sample-type=lock',
    '  F26 One method allocates much of the memory  --choose sample-type=alloc',
  ]);
  expect(part('Hot path').join('\n')).toContain('demo.shop.Work.priceCart');
  const found = JSON.parse(await cliOutput('findings', RECORDING, '--json')) as FindingsAnswer;
  const { findings } = JSON.parse(await cliOutput('summary', RECORDING, '--json')) as FileSummary;
  expect(findings.findings).toEqual(found.findings);
  expect(lines.findIndex((line) => line.startsWith('format '))).toBeGreaterThan(
    lines.findIndex((line) => line.startsWith('Lost: ')),
  );
  const nothing = join(temporaryFolder(), 'nothing.collapsed');
  writeFileSync(nothing, 'App.main 0\n');
  expect(await cliOutput('summary', nothing)).not.toContain('Hottest');
});

test('the answer is that of the scope', async () => {
  const summary = await cliOutput('summary', RECORDING, '--keep', 'demo.shop.Work.fib');
  expect(summary).toMatch(/^100\.0 % of CPU is in Work\.fib/m);
  expect(summary).toMatch(/^scope +174 samples, /m);
});

test('samples without a stack are left out of all answers, which say so, and count with --count-all', async () => {
  const log = goldenPath('server-small');
  const told = 'left out: 561 samples without a stack; --count-all counts them';
  const summary = await cliOutput('summary', log);
  expect(summary).toMatch(/^\d+\.\d % of CPU with a stack is in /m);
  expect(summary).toMatch(new RegExp(`^scope +992 samples, 561 outside\n +${told}$`, 'm'));
  expect(summary).toMatch(/^Lost: no stack 36\.1 %/m);
  expect(summary).toMatch(/^exact +With 992 samples/m);
  expect(summary).toMatch(/ F30 .* Samples of Java threads have no stack$/m);
  const all = await cliOutput('summary', log, '--count-all');
  expect(all).toMatch(/^\d+\.\d % of CPU is in /m);
  expect(all).not.toMatch(/^scope|left out/m);
  for (const command of ['top', 'tree']) {
    const wholeOf = async (...more: string[]): Promise<[number, string]> => {
      const { stdout, stderr } = await runCli([command, log, '--json', ...more]);
      return [(JSON.parse(stdout) as TopData).whole.samples, stderr];
    };
    expect([await wholeOf(), await wholeOf('--count-all')], command).toEqual([
      [992, `${log}: ${told}\n`],
      [1553, ''],
    ]);
  }
  // Nothing else is in this file.
  const errors = join(temporaryFolder(), 'errors.collapsed');
  writeFileSync(errors, 'AGCT.UnknownJavaErr5 7\n');
  expect((await runCli(['top', errors])).stderr).toMatch(/all samples in scope have no stack\n/);
});

test('numbers of events come with --events, and each sample type has its own', async () => {
  expect(await cliOutput('summary', RECORDING)).not.toContain('\nEvents\n');
  const events = await cliOutput('summary', RECORDING, '--events');
  expect(events).toMatch(/\nEvents\n.*\n {2}jdk\.ThreadSleep +10,468\n/);
  expect(events).toMatch(/^choose +sample-type=cpu {2}\(Sample type: cpu, .*\)$/m);
  expect(events).toMatch(/^ +cpu +Execution samples, 802 events$/m);
  expect(events).toMatch(/^ +alloc +Allocation samples, 1,770 events$/m);
});

test('each share says what it is of: findings count samples where the answer is by time, and waits are no samples', async () => {
  const timed = await cliOutput('summary', 'test/golden/jfr/timed-jdk25.jfr.gz');
  expect(timed).toMatch(/^92\.4 % of CPU is in Timed25\.price/m);
  expect(timed).toContain('\nFindings, shares of samples\n  WARN  F1  41.94 %');
  const waits = await cliOutput('summary', RECORDING, '--choose', 'sample-type=lock');
  expect(waits).toMatch(
    /^scope +96 waits, 3,093 outside\n +left out: 3,093 waits of idle threads; --count-all/m,
  );
});

test('the command line of the JVM, which may hold passwords, comes only with --jvm-arguments', async () => {
  const chunk = new JfrChunk(['jdk.JVMInformation', 'jdk.ExecutionSample']);
  chunk.jvm('OpenJDK', '17.0.12', '-Ddb.password=secret1', 'shop.jar --token secret2');
  const path = join(temporaryFolder(), 'a.jfr');
  writeFileSync(path, chunk.finish());
  for (const options of [[], ['--json'], ['--events']]) {
    const text = await cliOutput('summary', path, ...options);
    expect(text).toContain('17.0.12');
    expect(text).not.toContain('secret');
  }
  for (const options of [[], ['--json']]) {
    const text = await cliOutput('summary', path, '--jvm-arguments', ...options);
    expect(text).toContain('-Ddb.password=secret1');
    expect(text).toContain('--token secret2');
  }
});

/** A server that waits for most of the time: 40 samples in its selector, and 6 in its code. */
function waitingServer(): string {
  const chunk = new JfrChunk(['jdk.ExecutionSample', 'jdk.NativeMethodSample']);
  const [selector, worker] = [chunk.thread('selector', 1), chunk.thread('worker-1', 2)];
  const stackOf = (...names: readonly (readonly [string, string])[]): number =>
    chunk.stack(
      names.map(([type, name], at) => ({
        method: chunk.method(type, name),
        line: 1,
        bci: at,
        type: 'Native',
      })),
    );
  const waiting = stackOf(['sun/nio/ch/EPoll', 'wait'], ['app/Server', 'select']);
  const working = stackOf(['app/Search', 'find'], ['app/Server', 'serve']);
  const state = chunk.state('STATE_RUNNABLE');
  for (let at = 0; at < 40; at++) chunk.event('jdk.NativeMethodSample', 2_000 + at, selector, waiting, state);
  for (let at = 0; at < 6; at++) chunk.event('jdk.ExecutionSample', 2_000 + at, worker, working, state);
  const path = join(temporaryFolder(), 'server.jfr');
  writeFileSync(path, chunk.finish());
  return path;
}

test('threads that wait in native methods are not what a JFR recording says of CPU, unless they are asked for', async () => {
  const path = waitingServer();
  const summary = await cliOutput('summary', path);
  expect(summary.split('\n')[2]).toMatch(/^100\.0 % of CPU is in Search\.find, called by worker-\*/);
  expect(summary).toMatch(
    /^scope +6 samples, 40 outside\n +left out: 40 samples of idle threads; --count-all counts them$/m,
  );
  const all = await cliOutput('summary', path, '--count-all');
  expect(all.split('\n')[2]).toMatch(/^87\.0 % of CPU is in Server\.select/);
  expect(all).not.toMatch(/^scope|idle/m);
  // Nothing but idle threads is in this scope.
  expect(await cliOutput('summary', path, '--thread', 'selector')).toMatch(
    /^100\.0 % of CPU is in Server\.select[^]*^scope +40 samples, 6 outside\n +all samples in scope are of idle threads$/m,
  );
  const { waitingSamples, scope } = JSON.parse(await cliOutput('summary', path, '--json')) as FileSummary;
  expect([waitingSamples, scope]).toEqual([40, { samples: 6, outside: 40 }]);
});

test('all commands that answer leave out the same idle threads, say so, and count them with --count-all', async () => {
  const path = waitingServer();
  const told = `${path}: left out: 40 samples of idle threads; --count-all counts them\n`;
  const search = ['method', 'app.Search.find', path];
  for (const command of [['top', path], ['tree', path], search, ['timeline', path], ['findings', path]]) {
    expect((await runCli(command)).stderr, command[0]).toBe(told);
    for (const more of [['--count-all'], ['--leave-out', 'idle']])
      expect((await runCli([...command, ...more])).stderr, command[0]).toBe('');
  }
  const wholeOf = async (...args: string[]): Promise<number> =>
    (JSON.parse(await cliOutput(...args, path, '--json')) as TopData).whole.samples;
  for (const command of ['top', 'tree'])
    expect([await wholeOf(command), await wholeOf(command, '--count-all')], command).toEqual([6, 46]);
  // A scope says nothing of idle threads.
  expect(await wholeOf('top', '--drop', 'app.Nothing.is')).toBe(6);
  const waiting = await runCli(['method', 'sun.nio.ch.EPoll.wait', path]);
  expect([waiting.status, waiting.stderr]).toEqual([
    1,
    expect.stringMatching(
      /has the method .* \(left out: 40 samples of idle threads; --count-all counts them\)$/m,
    ),
  ]);
  // Both sides of a comparison are alike.
  const other = join(temporaryFolder(), 'other.jfr');
  copyFileSync(path, other);
  const compared = await runCli(['compare', path, other, '--json']);
  const { base, new: next } = JSON.parse(compared.stdout) as CompareData;
  expect([compared.stderr, base.samples, next.samples]).toEqual([
    'left out: samples of idle threads; --count-all counts them\n',
    6,
    6,
  ]);
  // An export has all that is in the file; a summary is an answer.
  expect(await cliOutput('export', path, '--format', 'collapsed')).toContain('EPoll.wait 40');
  expect((await runCli(['export', path, '--format', 'md'])).stderr).toBe(told);
});
