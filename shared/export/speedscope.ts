import { NONE } from '../profile/columns.ts';
import { type LeanProfile, threadsOfNodes, threadsWithoutFrames } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { hasValues } from '../profile/self-table.ts';
import { countText, formatQuantity } from '../text/format-value.ts';
import { printableJson } from '../text/printable.ts';
import { KeyTable, threadKey } from '../engine/trees/keys.ts';
import { weightName } from '../engine/values/metric.ts';
import { type ExportWriter, notPositive } from './export-input.ts';
import { LineWriter, type TextSink } from './text-sink.ts';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

export const writeSpeedscope: ExportWriter = ({ profile, units, title }, sink, addNote) => {
  const leftOut = exportSpeedscope(profile, { units, name: title }, sink);
  addNote(leftOut, notPositive(weightName('time', units)));
  addNote(
    threadsWithoutFrames(profile),
    (count) =>
      `samples without a frame of ${formatQuantity(count, 'thread')} written as empty stacks: idle time`,
  );
};

/**
 * The profile for speedscope. Each thread is a profile of samples, and each call node with self values a sample, in order
 * of first appearance. Weights are nanoseconds or bytes; if the profile has neither, counts without a unit. Returns the
 * number of call nodes that are left out because their weight is not positive.
 */
export function exportSpeedscope(
  profile: LeanProfile,
  { units, name }: { readonly units: ProfileUnits; readonly name: string },
  sink: TextSink,
): number {
  const { threads, frames, nodes, selfValues } = profile;
  const writer = new LineWriter(sink, frames.length + selfValues.length * 2);
  const unit = units.value === undefined ? 'none' : units.value.unit === 'ns' ? 'nanoseconds' : 'bytes';
  const weightOf = (self: number): string =>
    units.value === undefined ? countText(selfValues.count[self]) : selfValues.time.text(self);

  writer.line(`{"$schema":${printableJson(SCHEMA)},"exporter":"leanscope","name":${printableJson(name)},`);
  writer.line('"shared":{"frames":[');
  const keys = new KeyTable(profile, 'fqmn');
  keys.update();
  for (let frame = 0; frame < frames.length; frame++) {
    const file = profile.methods.names[frames.method[frame]]?.file ?? '';
    const line = frames.line[frame] > 0 ? `,"line":${frames.line[frame]}` : '';
    const place = (file === '' ? '' : `,"file":${printableJson(file)}`) + line;
    const comma = frame + 1 < frames.length ? ',' : '';
    writer.line(`{"name":${printableJson(keys.labels[keys.ofFrame[frame]])}${place}}${comma}`);
  }
  writer.line(']},"profiles":[');

  const rowsOf = rowsByThread(profile);
  const withSamples = Array.from({ length: threads.length }, (_, thread) => thread).filter(
    (thread) => threads.root[thread] !== NONE,
  );
  let leftOut = 0;
  for (const [at, thread] of withSamples.entries()) {
    const rows = rowsOf[thread].filter((self) => isPositive(weightOf(self)));
    leftOut += rowsOf[thread].length - rows.length;
    const label = printableJson(threadKey(profile, thread, 'name'));
    writer.line(
      `{"type":"sampled","name":${label},"unit":"${unit}","startValue":0,"endValue":${sumOf(rows, weightOf)},`,
    );
    writer.line('"samples":[');
    rows.forEach((self, row) => {
      const stack: number[] = [];
      for (let node = selfValues.node[self]; nodes.parent[node] !== NONE; node = nodes.parent[node])
        stack.push(nodes.frame[node]);
      writer.line(`[${stack.reverse().join()}]${row + 1 < rows.length ? ',' : ''}`);
    });
    writer.line('],"weights":[');
    rows.forEach((self, row) => {
      writer.line(weightOf(self) + (row + 1 < rows.length ? ',' : ''));
    });
    // speedscope ignores it. Leanscope reads it, so that an export by time keeps the samples.
    if (units.value !== undefined)
      writer.line(`],"counts":[${rows.map((self) => countText(selfValues.count[self])).join()}`);
    writer.line(`]}${at + 1 < withSamples.length ? ',' : ''}`);
  }
  writer.line(']}');
  writer.flush();
  return leftOut;
}

function isPositive(weight: string): boolean {
  return weight !== '0' && !weight.startsWith('-');
}

/** Exact for whole weights, however large. */
function sumOf(rows: readonly number[], weightOf: (self: number) => string): string {
  const weights = rows.map(weightOf);
  if (weights.every((weight) => /^\d+$/.test(weight)))
    return String(weights.reduce((sum, weight) => sum + BigInt(weight), 0n));
  return countText(weights.reduce((sum, weight) => sum + Number(weight), 0));
}

/** thread -> rows of the SelfTable. */
function rowsByThread({ threads, nodes, selfValues }: LeanProfile): number[][] {
  const threadOf = threadsOfNodes(nodes);
  const rows: number[][] = Array.from({ length: threads.length }, () => []);
  for (let self = 0; self < selfValues.length; self++) {
    if (hasValues(selfValues, self)) rows[threadOf[selfValues.node[self]]].push(self);
  }
  return rows;
}
