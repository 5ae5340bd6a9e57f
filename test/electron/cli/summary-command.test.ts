import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JfrChunk } from '../../support/jfr-writer/jfr-chunk.ts';
import { cliOutput } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RECORDING = 'test/golden/jfr/shop-jdk17.jfr.gz';

test('what is hot comes first: the hottest methods and the heaviest path', async () => {
  const lines = (await cliOutput('summary', RECORDING)).split('\n');
  expect(lines.slice(0, 3)).toEqual([`file     ${RECORDING}`, '', 'Hottest methods']);
  const [, ...top] = (await cliOutput('top', RECORDING, '-n', '10')).trimEnd().split('\n');
  expect(lines.slice(4, 14).map((line) => line.slice(2))).toEqual(top.slice(0, 10));
  const path = lines.slice(lines.indexOf('Heaviest path') + 1, lines.indexOf('Heaviest path') + 8);
  expect(path.map((line) => line.trim().split(/ {2,}/).at(-1))).toEqual([
    'Calls',
    'All threads',
    'java.lang.Thread.run',
    expect.stringMatching(/^demo\.shop\.Shop\$\$Lambda\S* › 1 frame › demo\.shop\.Shop\.serve$/) as string,
    'demo.shop.Work.serveOne',
    'demo.shop.Work.priceCart',
    'java.util.TreeMap.merge',
  ]);
  expect(lines.findIndex((line) => line.startsWith('format '))).toBeGreaterThan(
    lines.indexOf('Heaviest path'),
  );
  const nothing = join(temporaryFolder(), 'nothing.collapsed');
  writeFileSync(nothing, 'App.main 0\n');
  expect(await cliOutput('summary', nothing)).not.toContain('Hottest');
});

test('what is hot is that of the scope', async () => {
  const summary = await cliOutput('summary', RECORDING, '--keep', 'demo.shop.Work.fib');
  expect(summary).toContain('174 samples in all');
});

test('numbers of events come with --events, and each sample type has its own', async () => {
  expect(await cliOutput('summary', RECORDING)).not.toContain('\nEvents\n');
  const events = await cliOutput('summary', RECORDING, '--events');
  expect(events).toMatch(/\nEvents\n.*\n {2}jdk\.ThreadSleep +10,468\n/);
  expect(events).toMatch(/^choose +sample-type=cpu {2}\(Sample type: cpu, .*\)$/m);
  expect(events).toMatch(/^ +cpu +Execution samples, 802 events$/m);
  expect(events).toMatch(/^ +alloc +Allocation samples, 1,770 events$/m);
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
