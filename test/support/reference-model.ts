import { printable } from '../../shared/text/printable.ts';

/**
 * A second, independent reader of Honest Profiler logs, written from the specification: bigints, Maps and objects, one
 * frame at a time, simple and slow. The program must compute the same for random logs.
 */
export interface ModelFrame {
  readonly method: bigint;
  readonly line: number;
  readonly bci: number;
  /** Method, line and BCI. Frames of one log that have the same are one object. */
  readonly text: string;
}

export function modelFrame(method: bigint, line: number, bci: number): ModelFrame {
  return { method, line, bci, text: `${method} ${line} ${bci}` };
}

/** A trace that counts. */
export interface ModelSample {
  readonly thread: bigint;
  /** Root first. */
  readonly stack: readonly ModelFrame[];
  readonly ns: bigint;
  /** ns since 1970; undefined for a trace without a time. */
  readonly at: bigint | undefined;
  /** How many samples it stands for; undefined: one. 0 is time without a sample. */
  readonly count?: number;
}

interface ModelNode {
  readonly frame: ModelFrame | undefined;
  readonly children: Map<string, ModelNode>;
  selfCount: bigint;
  totalCount: bigint;
  selfTime: bigint;
  totalTime: bigint;
}

export interface Model {
  readonly samples: readonly ModelSample[];
  /** Ids of threads with a trace, possibly an empty one. */
  readonly threads: ReadonlySet<bigint>;
  /** Class and method of an id; the first definition counts. */
  readonly methods: ReadonlyMap<
    bigint,
    { readonly className: string; readonly methodName: string; readonly file: string }
  >;
}

const NO_LINE = -100;
const ERRORS =
  'NoJavaFramesErr0 NoClassLoadErr1 GcActiveErr2 UnknownNotJava3 NotWalkableNotJavaErr4 UnknownJavaErr5 NotWalkableJavaErr6 UnknownStateErr7 ThreadExitErr8 DeoptErr9 SafepointErr10'.split(
    ' ',
  );

/** Reads complete records; an incomplete one ends the log. Zeros are skipped. */
export function readModel(log: Uint8Array): Model {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const samples: ModelSample[] = [];
  const threads = new Set<bigint>();
  const methods = new Map(
    ERRORS.map((methodName, code) => [BigInt(-1 - code), { className: 'AGCT', methodName, file: '' }]),
  );
  const define = (id: bigint, className: string, methodName: string, file = ''): void => {
    if (!methods.has(id)) methods.set(id, { className, methodName, file });
  };

  let thread: bigint | undefined;
  let frames: ModelFrame[] = [];
  const known = new Map<string, ModelFrame>();
  const push = (method: bigint, line: number, bci: number): void => {
    const frame = modelFrame(method, line, bci);
    frames.push(known.get(frame.text) ?? frame);
    if (!known.has(frame.text)) known.set(frame.text, frame);
  };
  let nanosSpent = 0n;
  let startedAt: bigint | undefined;
  let previousSeconds = 0n;
  let previousNanos = 0n;
  const endTrace = (): void => {
    if (thread === undefined || frames.length === 0) return;
    samples.push({ thread, stack: frames.slice().reverse(), ns: nanosSpent, at: startedAt });
  };

  let at = 0;
  const readString = (): string => {
    const length = view.getInt32(at);
    const text = new TextDecoder().decode(log.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    return text;
  };
  while (at < log.length) {
    const type = log[at];
    at += 1;
    if (type === 0) continue;
    if (type === 1 || type === 11) {
      const numFrames = view.getInt32(at);
      const threadId = view.getBigInt64(at + 4);
      const seconds = type === 11 ? view.getBigInt64(at + 12) : 0n;
      const nanos = type === 11 ? view.getBigInt64(at + 20) : 0n;
      at += type === 11 ? 28 : 12;
      if (previousSeconds > 0n) {
        nanosSpent = BigInt.asIntN(
          64,
          (seconds - previousSeconds) * 1_000_000_000n + (nanos - previousNanos),
        );
      }
      previousSeconds = seconds;
      previousNanos = nanos;
      endTrace();
      startedAt = type === 11 ? seconds * 1_000_000_000n + nanos : undefined;
      thread = threadId;
      threads.add(threadId);
      frames = [];
      if (numFrames <= 0) {
        const method = BigInt(numFrames) - 1n;
        if (-numFrames > 10) define(method, 'AGCT', `UnknownErrCode${-numFrames}`);
        push(method, NO_LINE, -1);
      }
    } else if (type === 2) {
      push(view.getBigInt64(at + 4), NO_LINE, view.getInt32(at));
      at += 12;
    } else if (type === 21) {
      push(view.getBigInt64(at + 8), view.getInt32(at + 4), view.getInt32(at));
      at += 16;
    } else {
      const id = view.getBigInt64(at);
      at += 8;
      const strings = Array.from({ length: type === 4 ? 1 : type === 3 ? 3 : 6 }, readString);
      if (type !== 4)
        define(id, strings[1].slice(1, -1).replaceAll('/', '.'), strings[type === 3 ? 2 : 3], strings[0]);
    }
  }
  endTrace();
  return { samples, threads, methods };
}

/** The canonical text `lean` of a model. */
export function leanTextOf({ samples, threads }: Model): string {
  const roots = new Map([...threads].map((thread) => [thread, newNode(undefined)]));
  for (const { thread, stack, ns } of samples) {
    let node = roots.get(thread)!;
    node.totalCount += 1n;
    node.totalTime += ns;
    for (const frame of stack) {
      let child = node.children.get(frame.text);
      if (child === undefined) {
        child = newNode(frame);
        node.children.set(frame.text, child);
      }
      child.totalCount += 1n;
      child.totalTime += ns;
      node = child;
    }
    node.selfCount += 1n;
    node.selfTime += ns;
  }

  const lines: string[] = [];
  const values = (node: ModelNode): string =>
    [node.selfCount, node.totalCount, node.selfTime, node.totalTime].join('\t');
  for (const [thread, root] of [...roots].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`T\t${thread}\t${values(root)}`);
    const pending = sortedChildren(root).map((node) => ({ node, depth: 1 }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { node, depth } = next;
      const { method, line, bci } = node.frame!;
      lines.push(`N\t${depth}\t${method}\t${line}\t${bci}\t${values(node)}`);
      for (const child of sortedChildren(node)) pending.push({ node: child, depth: depth + 1 });
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** In reverse order, to be pushed onto a stack. */
function sortedChildren({ children }: ModelNode): ModelNode[] {
  return [...children.values()].sort((a, b) => -compareFrames(a.frame!, b.frame!));
}

function compareFrames(a: ModelFrame, b: ModelFrame): number {
  if (a.method !== b.method) return a.method < b.method ? -1 : 1;
  return a.line - b.line || a.bci - b.bci;
}

function newNode(frame: ModelFrame | undefined): ModelNode {
  return { frame, children: new Map(), selfCount: 0n, totalCount: 0n, selfTime: 0n, totalTime: 0n };
}

/** Every frame of a log, once. */
export function framesOf({ samples }: Model): ReadonlySet<ModelFrame> {
  const frames = new Set<ModelFrame>();
  for (const { stack } of samples) for (const frame of stack) frames.add(frame);
  return frames;
}

/** A frame's key with methods that may lack a name. */
export function modelKey(
  model: Model,
  frame: ModelFrame,
  grouping: 'fqmn' | 'line' | 'bci' | 'method-id',
): string {
  const names = model.methods.get(frame.method);
  const name =
    names === undefined
      ? `<UNIDENTIFIED : Method Id = ${frame.method}>`
      : printable(names.className === '' ? names.methodName : `${names.className}.${names.methodName}`);
  if (grouping === 'fqmn') return name;
  if (grouping === 'line') return `${name}:${frame.line}`;
  return grouping === 'bci' ? `${name}:${frame.bci}` : `(${frame.method}) ${name}`;
}
