import { collectText } from '../../shared/export/text-sink.ts';
import { writeLean } from '../../shared/export/lean.ts';
import type { ContextTable } from '../../shared/profile/context-table.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';

/** Every cell of every table, for profiles that must be equal bit for bit. */
export function profileTables({
  threads,
  methods,
  frames,
  nodes,
  selfValues,
  samples,
}: LeanProfile): unknown {
  return {
    threads: [cells(threads.idHi, threads), cells(threads.idLo, threads), cells(threads.root, threads)],
    threadNames: Array.from({ length: threads.length }, (_, row) => threads.name[row]),
    threadGroups: Array.from({ length: threads.length }, (_, row) => threads.group[row]),
    methods: [cells(methods.idHi, methods), cells(methods.idLo, methods)],
    methodNames: Array.from({ length: methods.length }, (_, row) => methods.names[row]),
    frames: [cells(frames.method, frames), cells(frames.line, frames), cells(frames.bci, frames)],
    nodes: [cells(nodes.parent, nodes), cells(nodes.frame, nodes)],
    selfValues: [cells(selfValues.node, selfValues), cells(selfValues.count, selfValues)],
    times: Array.from({ length: selfValues.length }, (_, row) => selfValues.time.exact(row)),
    samples: samples && [
      Array.from({ length: samples.length }, (_, row) => samples.timeOf(row)),
      Array.from({ length: samples.length }, (_, row) => samples.value.exact(row)),
      cells(samples.self, samples),
      Math.min(samples.finalLength, samples.length),
    ],
    contexts: samples && contextRows(samples.contexts),
  };
}

/** A row for each context: its thread, its ends, its name, and its attributes in turn. */
export function contextRows(contexts: ContextTable): readonly (readonly unknown[])[] {
  const { length, thread, from, to, name, attributesEnd, key, value, texts, origin = 0n } = contexts;
  return Array.from({ length }, (_, row) => [
    thread[row],
    origin + BigInt(from[row]),
    origin + BigInt(to[row]),
    texts[name[row]],
    ...Array.from({ length: attributesEnd[row] - contexts.attributesFrom(row) }, (_each, at) => {
      const attribute = contexts.attributesFrom(row) + at;
      return `${texts[key[attribute]]}=${texts[value[attribute]]}`;
    }),
  ]);
}

function cells<Column extends Int32Array | Float64Array>(
  column: Column,
  { length }: { readonly length: number },
): Column {
  return column.slice(0, length) as Column;
}

export function leanOf(profile: LeanProfile): string {
  return collectText((sink) => writeLean({ profile }, sink));
}
