import { expect, test } from 'vitest';
import { collectBytes } from '../../../../shared/export/export-input.ts';
import { exportHprofBinary, exportHprofText, HprofTraces } from '../../../../shared/export/hprof.ts';
import { collectText } from '../../../../shared/export/text-sink.ts';
import { readInput } from '../../../support/read-input.ts';

const DEPTH = 1_000_000;

test('B15: a stack of a million frames, read and written in both forms', () => {
  const text = `TRACE 1: (thread=7)\n${'\tShop.sell(Shop.java:7)\n'.repeat(DEPTH)}CPU SAMPLES BEGIN (total = 3) now\n 1 1% 1% 3 1 m\nCPU SAMPLES END\n`;
  const read = readInput(Buffer.from(text));
  expect([read.aggregator.deepestStack, read.aggregator.sampleCount]).toEqual([DEPTH, 3]);
  const traces = new HprofTraces(read.profile, undefined);
  const binary = readInput(collectBytes((sink) => exportHprofBinary(traces, sink)));
  expect(binary.aggregator.deepestStack).toBe(DEPTH);
  const again = readInput(Buffer.from(collectText((sink) => exportHprofText(traces, sink))));
  expect(again.aggregator.deepestStack).toBe(DEPTH);
  const cut = readInput(collectBytes((sink) => exportHprofBinary(new HprofTraces(read.profile, 9), sink)));
  expect(cut.aggregator.deepestStack).toBe(10);
});
