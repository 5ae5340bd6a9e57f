import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { recorderOf } from '../../support/listed-jvm.ts';
import { readInput } from '../../support/read-input.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { JDKS, QUICK_START, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

const JDK = JDKS.find(({ major }) => major >= 25);
const LEAST_SAMPLES = 50;

testUnless(JDK === undefined ? 'there is no JDK 25 or later' : undefined)(
  'CPU time samples of a real JVM: failed and biased ones are as many as jfr prints',
  async () => {
    const { home } = JDK!;
    const { pid } = await startJvm({ home });
    const recorder = await recorderOf(pid);
    const chosen = join(temporaryFolder(), 'chosen.jfr');
    expect(
      await runCli(['record', String(pid), '-o', chosen, '-d', '1s', '--types', 'cpu-time']),
    ).toMatchObject({
      status: 0,
      stderr: '',
    });
    const read = readInput(readFileSync(chosen)).decoder.facts();
    const events = read.tables.find(({ title }) => title === 'Events')?.rows.map(([name]) => name);
    expect(events).toContain('jdk.CPUTimeSample');
    expect(events).not.toContain('jdk.ExecutionSample');
    const enabled = ['jdk.CPUTimeSample#enabled=true', 'jdk.CPUTimeSample#throttle=1ms'];
    await recorder.start('cpu', { settings: 'default', flushes: true, maxMegabytes: 50, events: enabled });
    const folder = temporaryFolder();
    let file = '';
    let printed: readonly string[] = [];
    for (let dump = 0; printed.length < LEAST_SAMPLES; dump++) {
      file = join(folder, `${dump}.jfr`);
      await recorder.dump('cpu', file);
      const options = [...QUICK_START.map((option) => `-J${option}`), 'print', '--events', 'CPUTimeSample'];
      const { stdout } = spawnSync(join(home, 'bin/jfr'), [...options, file], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      printed = stdout.split(/^jdk\.CPUTimeSample/m).slice(1);
    }
    const said = (text: string): number => printed.filter((event) => event.includes(text)).length;
    const { decoder, aggregator } = readInput(readFileSync(file), { 'sample-type': 'cpu-time' });
    const noted = (what: RegExp): number =>
      decoder
        .facts()
        .notes.reduce((sum, note) => sum + Number(what.exec(note)?.[1].replaceAll(/\D/g, '') ?? 0), 0);
    expect({
      biased: noted(/^([\d\s,.]+) samples? (?:is|are) biased/),
      failed: noted(/Of ([\d\s,.]+) samples? the JVM has failed/),
      counted: aggregator.sampleCount + noted(/^([\d\s,.]+) samples? not counted\. They have no stack trace/),
    }).toEqual({
      biased: said('biased = true'),
      failed: said('failed = true'),
      counted: printed.length,
    });
  },
);
