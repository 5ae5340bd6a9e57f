import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { nsOfTicks } from '../../profile/sample-table.ts';
import type { ChunkConstants, RecordedThread } from './chunk-constants.ts';
import type { Chunk } from './chunk.ts';
import { TIMES_AND_THREAD } from './context-events.ts';
import { Cursor } from './cursor.ts';
import { type FieldPlan, FieldValues, Shape } from './field-plan.ts';

/** Reads the contexts of a chunk, whose constants are there now, and passes them on. */
export function writeContexts(
  { bytes, header, types, contexts }: Chunk,
  constants: ChunkConstants,
  sink: SampleSink,
  threadOf: (thread: RecordedThread) => number,
): void {
  if (types === undefined || contexts.length === 0 || !sink.keepsTimes) return;
  const cursor = new Cursor(bytes);
  const values = new FieldValues();
  const clock = { start: header.startTicks, perSecond: header.ticksPerSecond };
  const threads = new Map<string, number>();
  const attributes: string[] = [];
  for (let each = 0; each < contexts.length; each += 3) {
    const context = types.contexts.get(contexts[each]);
    if (context === undefined) continue;
    const { plan, event } = context;
    values.clear();
    cursor.moveTo(contexts[each + 1], contexts[each + 2]);
    plan.read(cursor, values);
    if (cursor.hasFailed()) continue;
    const begin = values.number(0);
    const key = `${values.hi[2]},${values.lo[2]}`;
    let thread = threads.get(key);
    if (thread === undefined) {
      const { type = 0 } = plan.wanted[2] ?? {};
      threads.set(key, (thread = threadOf(constants.thread(type, values.hi[2], values.lo[2]))));
    }
    let slot: number = TIMES_AND_THREAD.length;
    const name = event.name ?? textOf(bytes, plan, values, slot++, constants) ?? '';
    attributes.length = 0;
    for (const attribute of event.keys) {
      const text = textOf(bytes, plan, values, slot++, constants);
      if (text !== undefined) attributes.push(attribute, text);
    }
    const [from, to] = [nsOfTicks(begin, clock), nsOfTicks(begin + values.number(1), clock)];
    sink.addContext(thread, header.startNs, from, to, name === '' ? '(no name)' : name, attributes);
  }
}

/** The value of a field as text; undefined for null, and for what the event does not have. */
function textOf(
  bytes: Uint8Array,
  plan: FieldPlan,
  values: FieldValues,
  slot: number,
  constants: ChunkConstants,
): string | undefined {
  const field = plan.wanted[slot];
  if (field === undefined) return undefined;
  const [hi, lo] = [values.hi[slot], values.lo[slot]];
  const type = constants.planner.types.get(field.type)?.name;
  if (field.isPooled) {
    if ((hi | lo) === 0) return undefined;
    if (type === 'jdk.types.Method') return constants.methodText(field.type, hi, lo);
    if (type === 'java.lang.Thread') return constants.thread(field.type, hi, lo).name;
    if (type === 'java.lang.Class') return constants.className(field.type, hi, lo);
    return constants.text(field.type, hi, lo);
  }
  if (field.shape === Shape.text) return constants.textAt(field.type, values.at[slot]);
  if (field.shape === Shape.integer) return String((BigInt(hi) << 32n) | BigInt(lo >>> 0));
  if (type === 'boolean') return lo === 0 ? 'false' : 'true';
  if (type === 'byte') return String((lo << 24) >> 24);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'float') return String(Math.fround(view.getFloat32(values.at[slot])));
  return type === 'double' ? String(view.getFloat64(values.at[slot])) : undefined;
}
