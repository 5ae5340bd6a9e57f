import { is, isNot, isPossible, type ProfileFormat } from './profile-format.ts';
import { noteOf } from '../facts/losses.ts';
import type { SampleSink } from '../aggregate/sample-sink.ts';
import { NO_BCI, NO_LINE } from '../profile/frame-table.ts';
import { SAMPLES_AND_TIME, SAMPLES_ONLY } from '../profile/profile-units.ts';
import { formatTime } from '../text/format-value.ts';
import type { MemoryBudget } from '../aggregate/memory-budget.ts';
import type { Damage } from '../facts/damage.ts';
import { type FormatFacts, NO_FACTS } from '../facts/format-facts.ts';
import {
  elementsOf,
  isObject,
  JsonDecoder,
  type JsonList,
  type JsonObject,
  listOf,
  numberOf,
  textOf,
  unexpectedValue,
} from './json.ts';
import { NamedFrames } from './named-frames.ts';

/** CPU profiles of Chrome and Node.js (specs: other formats; Chrome DevTools Protocol, Profiler.Profile). */
export const CPUPROFILE: ProfileFormat = {
  id: 'cpuprofile',
  name: 'V8 CPU profile',
  listed: { group: 'Exchange formats', entry: 'V8 CPU profile' },
  extensions: ['.cpuprofile'],
  follows: false,
  notRecorded: [
    'threads',
    'the executed line: lines are those where functions begin',
    'whether a stack was truncated',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    // Heap sampling profiles have the same call nodes, with bytes instead of samples.
    if (/"selfSize"\s*:/.test(text)) return isNot(0.6, 'it is a V8 heap profile');
    // The keys of an object have no order: pages of samples may come before the call nodes.
    const hasNodes = /"nodes"\s*:\s*\[/.test(text) && /"callFrame"\s*:/.test(text);
    const hasTree = /"head"\s*:\s*\{/.test(text) && /"(?:hitCount|callUID|children)"\s*:/.test(text);
    if (/"functionName"\s*:/.test(text) && (hasNodes || hasTree))
      return is('it has call nodes and names of functions');
    return isPossible(0.2, 'it has no call nodes and names of functions');
  },
  createDecoder: (sink) => new CpuProfileDecoder(sink),
};

const NS_PER_US = 1000;
/** Bytes of a node with its entries in all tables, and of a time. */
const NODE_BYTES = 600;
const TIME_BYTES = 8;
/** Name of the root node, which stands for the thread. */
const ROOT = '(root)';

/**
 * Decodes a CPU profile of V8: call nodes, and the node that was executed at each sample.
 *
 *   nodes        1 (root)   2 main   3 parse         children 1 -> 2 -> 3
 *   samples      2     3     3     2
 *   timeDeltas   90    10    20    15     µs since the sample before; the first one since the start
 *   time            10    20    15    end − 135
 *
 * As in Chrome, a sample lasts until the next one, and the last one until the end. The time before the first sample is
 * not counted. `(idle)`, `(program)` and `(garbage collector)` are frames.
 */
class CpuProfileDecoder extends JsonDecoder {
  readonly #frames: NamedFrames;
  /** Id of a node in the file -> call node of the sink. */
  readonly #nodes = new Map<number, number>();
  #root = 0;
  #isTimed = false;
  #invalid = 0;
  readonly #notes: string[] = [];

  constructor(sink: SampleSink) {
    super(sink);
    this.#frames = new NamedFrames(sink);
  }

  facts(): FormatFacts {
    return {
      ...NO_FACTS,
      units: this.#isTimed ? SAMPLES_AND_TIME : SAMPLES_ONLY,
      skips: noteOf([this.#invalid, 'sample'], 'with an unknown call node: not counted.'),
      notes: this.#notes,
      hasSampleTimes: this.#isTimed,
    };
  }

  protected override decodeValue(file: unknown): Damage | undefined {
    if (!isObject(file)) return unexpectedValue('profile', file, 'an object');
    const { memory } = this.sink;
    const nodes = isObject(file.head)
      ? nodesOfTree(file.head, memory)
      : nodesOfList(listOf(file.nodes), memory);
    if (nodes.length === 0) return unexpectedValue('nodes', file.nodes, 'a list of call nodes');
    const thread = this.sink.thread(0, 1);
    this.sink.nameThread(thread, 'main');
    this.#root = this.sink.root(thread);
    this.#place(nodes);
    const samples = listOf(file.samples);
    if (samples.length === 0) this.#countHits(nodes);
    else if (memory.hold((samples.length + 1) * TIME_BYTES))
      this.#countSamples(samples, times(file, samples.length));
    return undefined;
  }

  /** Adds nodes to the sink; callers come before callees. */
  #place(nodes: readonly PlacedNode[]): void {
    const depths = new Map<number, number>();
    for (const { id, parent, functionName, url, line } of nodes) {
      const caller = this.#nodes.get(parent) ?? this.#root;
      const depth = (depths.get(parent) ?? 0) + 1;
      if (functionName === ROOT) {
        this.#nodes.set(id, this.#root);
        continue;
      }
      const methodName = functionName === '' ? '(anonymous)' : functionName;
      const frame = this.#frames.of({ file: url, className: '', methodName, line });
      depths.set(id, depth);
      this.#nodes.set(id, this.sink.callee(caller, depth, 0, frame.method, frame.line, NO_BCI));
    }
  }

  #countHits(nodes: readonly PlacedNode[]): void {
    for (const { id, hits } of nodes) {
      const node = this.#nodes.get(id);
      if (node === undefined || node === this.#root || hits <= 0) continue;
      this.sink.samplesAt(node, hits, 0);
      this.records++;
    }
    this.#notes.push('The file contains no samples, only the number of hits of each call node.');
  }

  #countSamples(samples: JsonList, timed: SampleTimes | undefined): void {
    this.#isTimed = timed !== undefined;
    let at = -1;
    for (const sample of samples) {
      if (this.sink.isFull) break;
      at++;
      const node = this.#nodes.get(numberOf(sample) ?? NaN);
      if (node === undefined) this.#invalid++;
      // At a sample of the root, the stack was empty.
      else if (node !== this.#root) {
        if (timed !== undefined) this.sink.takenAt(0n, timed.takenAt(at));
        this.sink.samplesAt(node, 1, timed?.ns(at) ?? 0);
        this.records++;
      }
    }
    if (timed === undefined) return;
    const before =
      timed.beforeNs > 0 ? ` The ${formatTime(timed.beforeNs)} before the first sample are not counted.` : '';
    this.#notes.push(`A sample lasts until the next one, the last sample until the end.${before}`);
  }
}

interface PlacedNode {
  readonly id: number;
  /** Id of the caller; NaN for none. */
  readonly parent: number;
  readonly functionName: string;
  readonly url: string;
  readonly line: number;
  readonly hits: number;
}

function placed(node: JsonObject, callFrame: JsonObject, parent: number): PlacedNode {
  const line = numberOf(callFrame.lineNumber) ?? -1;
  return {
    id: numberOf(node.id) ?? NaN,
    parent,
    functionName: textOf(callFrame.functionName),
    url: textOf(callFrame.url),
    // Lines are counted from 0; -1 means unknown.
    line: line >= 0 && line < 2 ** 31 - 1 ? Math.floor(line) + 1 : NO_LINE,
    hits: Math.min(Math.max(0, numberOf(node.hitCount) ?? 0), Number.MAX_SAFE_INTEGER),
  };
}

function textBytes({ functionName, url }: PlacedNode): number {
  return 2 * (functionName.length + url.length);
}

/** The nodes of the new form, which refer to their children or parent by id; callers first. Cycles are skipped. */
function nodesOfList(list: JsonList, memory: MemoryBudget): PlacedNode[] {
  const byId = new Map<number, PlacedNode>();
  const parents = new Map<number, number>();
  for (const node of list) {
    const id = isObject(node) ? numberOf(node.id) : undefined;
    if (!isObject(node) || id === undefined || byId.has(id)) continue;
    const read = placed(node, isObject(node.callFrame) ? node.callFrame : node, NaN);
    if (!memory.keep(NODE_BYTES + textBytes(read))) break;
    byId.set(id, read);
    const parent = numberOf(node.parent);
    if (parent !== undefined) parents.set(id, parent);
    for (const child of listOf(node.children)) {
      const childId = numberOf(child);
      if (childId === undefined || parents.has(childId)) continue;
      if (!memory.keepRow()) break;
      parents.set(childId, id);
    }
  }
  const children = new Map<number, number[]>();
  for (const [id, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  const nodes: PlacedNode[] = [];
  const pending = [...byId.keys()].filter((id) => !byId.has(parents.get(id) ?? NaN)).reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = byId.get(id);
    if (node === undefined) continue;
    nodes.push({ ...node, parent: parents.get(id) ?? NaN });
    for (const child of children.get(id) ?? []) pending.push(child);
  }
  return nodes;
}

/** The nodes of the old form, which are nested in their callers; callers first. */
function nodesOfTree(head: JsonObject, memory: MemoryBudget): PlacedNode[] {
  const nodes: PlacedNode[] = [];
  const pending: { readonly node: JsonObject; readonly parent: number }[] = [{ node: head, parent: NaN }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = placed(next.node, next.node, next.parent);
    if (!memory.keep(NODE_BYTES + textBytes(node))) break;
    nodes.push(node);
    for (const child of listOf(next.node.children))
      if (isObject(child)) pending.push({ node: child, parent: node.id });
  }
  return nodes;
}

interface SampleTimes {
  /** The duration of a sample; a bigint if it is not a safe integer. */
  readonly ns: (sample: number) => number | bigint;
  /** When it was taken, ns after the start of the recording. */
  readonly takenAt: (sample: number) => number | bigint;
  /** Time from the start to the first sample. */
  readonly beforeNs: number;
}

/** The time of each sample, from time deltas, or in the old form from timestamps; undefined if there are neither. */
function times(file: JsonObject, samples: number): SampleTimes | undefined {
  const deltas = listOf(file.timeDeltas);
  const stamps = listOf(file.timestamps);
  const next = elementsOf(deltas.length > 0 ? deltas : stamps);
  // Relative to the start: µs since 1970 leave a double no bits for fractions.
  const start = numberOf(file.startTime) ?? 0;
  const at = new Float64Array(samples + 1);
  if (deltas.length > 0) {
    let now = 0;
    for (let sample = 0; sample < samples; sample++) at[sample] = now += numberOf(next()) ?? 0;
  } else if (stamps.length > 0) {
    for (let sample = 0; sample < samples; sample++) {
      const stamp = numberOf(next());
      at[sample] = stamp === undefined ? at[Math.max(0, sample - 1)] : stamp - start;
    }
  } else {
    return undefined;
  }
  const last = at[samples - 1];
  const end = (numberOf(file.endTime) ?? NaN) - start;
  // In the old form, endTime is in seconds but timestamps are in microseconds.
  at[samples] = end >= last ? end : last;
  return {
    ns: (sample) => wholeNs(at[sample + 1] - at[sample]),
    takenAt: (sample) => wholeNs(at[sample]),
    beforeNs: deltas.length > 0 ? Number(wholeNs(at[0])) : 0,
  };
}

function wholeNs(us: number): number | bigint {
  const ns = Math.round(us * NS_PER_US);
  if (Number.isSafeInteger(ns)) return ns;
  return Number.isFinite(us) ? BigInt(Math.round(us)) * BigInt(NS_PER_US) : 0;
}
