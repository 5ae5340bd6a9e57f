import type { SeededRandom } from './seeded-random.ts';

/** Ages of the processed profile of the Firefox Profiler that store something in another way. */
export const FIREFOX_VERSIONS = [17, 28, 47, 50, 56, 58, 60, 99] as const;

interface MadeFrame {
  readonly name: string;
  readonly file?: string;
  readonly library?: string;
  readonly line?: number;
  /** Its category, none if it has that of its caller. */
  readonly category?: number;
}

interface MadeSample {
  /** Root first; undefined: an empty stack. */
  readonly stack: readonly MadeFrame[] | undefined;
  readonly ms: number;
  readonly weight?: number;
  readonly cpu?: number | null;
}

export interface MadeThread {
  readonly name: string;
  readonly tid: number;
  readonly pid: number;
  readonly samples: readonly MadeSample[];
  readonly jsAllocations?: readonly MadeSample[];
  readonly nativeAllocations?: readonly MadeSample[];
  readonly weightType?: 'samples' | 'tracing-ms' | 'bytes';
}

export const CATEGORIES = ['Idle', 'Other', 'JavaScript', 'Layout'];

type Cell = number | string | boolean | null;
type Columns = Record<string, Cell[]>;
/** The JSON of a table: its columns and its length. */
type Table = Record<string, Cell[] | number>;

/** The tables of a thread, or of all, as a profiler fills them. */
class Tables {
  readonly strings: string[];
  readonly #sources: number[];
  readonly #version: number;
  readonly #known = new Map<string, number>();
  readonly #stack: Columns = { frame: [], prefix: [], category: [] };
  readonly #frame: Columns = { func: [], line: [], category: [], address: [], inlineDepth: [] };
  readonly #function: Columns = { name: [], fileName: [], resource: [], isJS: [] };
  readonly #resource: Columns = { name: [], lib: [], type: [] };

  constructor(version: number, strings: string[], sources: number[]) {
    this.#version = version;
    this.strings = strings;
    this.#sources = sources;
  }

  stack(frames: readonly MadeFrame[]): number {
    let caller: number | null = null;
    let category = 1;
    for (const frame of frames) {
      category = frame.category ?? category;
      const row: number = this.#frameOf(frame);
      const prefix: number | null = caller;
      const stackCategory = category;
      caller = this.#row(`stack ${prefix} ${row}`, this.#stack, () => ({
        frame: row,
        prefix,
        category: stackCategory,
      }));
    }
    return caller!;
  }

  string(text: string): number {
    const known = this.strings.indexOf(text);
    return known >= 0 ? known : this.strings.push(text) - 1;
  }

  json(): Record<string, Table> {
    const stacks: Columns = { frame: this.#stack.frame };
    if (this.#version > 60)
      stacks.prefixOffset = this.#stack.prefix.map((prefix, row) =>
        prefix === null ? 0 : row - Number(prefix),
      );
    else stacks.prefix = this.#stack.prefix;
    // Later on, the category of a frame says it.
    if (this.#version < 53) stacks.category = this.#stack.category;
    const functions: Columns = { ...this.#function };
    if (this.#version >= 58) {
      functions.source = functions.fileName.map((name) => {
        if (name === null) return null;
        const known = this.#sources.indexOf(Number(name));
        return known >= 0 ? known : this.#sources.push(Number(name)) - 1;
      });
      delete functions.fileName;
    }
    return {
      stackTable: withLength(stacks),
      frameTable: withLength(
        this.#version < 53 ? { ...this.#frame, category: this.#frame.func.map(() => null) } : this.#frame,
      ),
      funcTable: withLength(functions),
      resourceTable: withLength(this.#resource),
    };
  }

  #frameOf({ name, file, library, line, category }: MadeFrame): number {
    const text = this.string(name);
    const fileText = file === undefined ? null : this.string(file);
    const resource =
      library === undefined
        ? -1
        : this.#row(`resource ${library}`, this.#resource, () => ({
            name: this.string(library),
            lib: 0,
            type: 1,
          }));
    const func = this.#row(`function ${text} ${fileText} ${resource}`, this.#function, () => ({
      name: text,
      fileName: fileText,
      resource,
      isJS: false,
    }));
    return this.#row(`frame ${func} ${line} ${category}`, this.#frame, () => ({
      func,
      line: line ?? null,
      category: category ?? null,
      address: -1,
      inlineDepth: 0,
    }));
  }

  #row(key: string, columns: Columns, cells: () => Record<string, Cell>): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = columns[Object.keys(columns)[0]].length;
    for (const [name, cell] of Object.entries(cells())) columns[name].push(cell);
    this.#known.set(key, row);
    return row;
  }
}

function withLength(columns: Columns): Table {
  return { ...columns, length: Object.values(columns)[0].length };
}

/** A profile in JSON, as a profiler of this age writes it. */
export function firefoxFile(threads: readonly MadeThread[], version: number, meta: object = {}): object {
  const strings: string[] = [];
  const filename: number[] = [];
  const all = new Tables(version, strings, filename);
  const made = threads.map((thread) => {
    const tables = version >= 60 ? all : new Tables(version, version >= 56 ? strings : [], filename);
    const table = (samples: readonly MadeSample[], weightType: string): object => {
      const times = samples.map(({ ms }) => ms);
      const cpu = samples.map(({ cpu: delta }) => delta ?? null);
      const weights = samples.map(({ weight }) => weight ?? 1);
      return {
        length: samples.length,
        stack: samples.map(({ stack }) =>
          stack === undefined ? (version > 60 ? -1 : null) : tables.stack(stack),
        ),
        ...(version >= 50
          ? { timeDeltas: times.map((ms, at) => (at === 0 ? ms : ms - times[at - 1])) }
          : { time: times }),
        ...(samples.some(({ weight }) => weight !== undefined)
          ? { [version < 29 ? 'duration' : 'weight']: weights }
          : { weight: null }),
        ...(version < 29 && weightType === 'samples' ? {} : { weightType }),
        ...(samples.some(({ cpu: delta }) => delta !== undefined) ? { threadCPUDelta: cpu } : {}),
      };
    };
    const json: Record<string, unknown> = {
      name: thread.name,
      tid: version >= 47 ? String(thread.tid) : thread.tid,
      pid: version >= 47 ? String(thread.pid) : thread.pid,
      processName: `shop`,
      samples: table(thread.samples, thread.weightType ?? 'samples'),
      markers: { length: 0, name: [], data: [] },
    };
    if (thread.jsAllocations !== undefined) json.jsAllocations = table(thread.jsAllocations, 'bytes');
    if (thread.nativeAllocations !== undefined)
      json.nativeAllocations = table(thread.nativeAllocations, 'bytes');
    if (version < 60) Object.assign(json, tables.json());
    if (version < 56) json.stringArray = tables.strings;
    return json;
  });
  const shared = {
    ...(version >= 56 ? { stringArray: strings } : {}),
    ...(version >= 60 ? all.json() : {}),
    ...(version >= 58 ? { sources: { filename } } : {}),
  };
  return {
    meta: {
      product: 'made',
      interval: 1,
      startTime: 1_700_000_000_000,
      version: 24,
      preprocessedProfileVersion: version,
      sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'µs' },
      categories: CATEGORIES.map((name) => ({
        name,
        color: name === 'Other' ? 'grey' : 'blue',
        subcategories: ['Other'],
      })),
      ...meta,
    },
    libs: [],
    ...(version >= 56 ? { shared } : {}),
    threads: made,
  };
}

const FRAMES: readonly MadeFrame[] = [
  { name: 'main', file: 'shop.rs', line: 3, category: 2 },
  { name: 'main', file: 'shop.rs', line: 9, category: 2 },
  { name: 'shop/Shop.sell', line: 40 },
  { name: 'java.util.HashMap.get', file: 'HashMap.java', line: 557, category: 3 },
  { name: 'memcpy', library: 'libc.so.6', category: 1 },
  { name: 'poll', library: 'libc.so.6', category: 0 },
  { name: '0x1f2e', library: 'libjvm.so' },
];

/** Threads with up to `most` random samples each. */
export function randomThreads(random: SeededRandom, most: number): MadeThread[] {
  const samples = (length: number, sample: () => Partial<MadeSample>): MadeSample[] => {
    let ms = random.below(50) / 4;
    return Array.from({ length }, () => {
      const depth = 1 + random.below(6);
      const stack =
        random.below(9) === 0 ? undefined : Array.from({ length: depth }, () => random.pick(FRAMES));
      ms += random.below(9) / 8;
      return { stack, ms, ...sample() };
    });
  };
  const hasCpu = random.below(2) === 0;
  const isWeighed = random.below(2) === 0;
  return Array.from({ length: 1 + random.below(3) }, (_, at) => ({
    name: random.pick(['main', 'worker', 'GC']),
    tid: 100 + at,
    pid: 7,
    samples: samples(1 + random.below(most), () => ({
      ...(isWeighed ? { weight: random.below(4) } : {}),
      ...(hasCpu ? { cpu: random.pick([null, 0, 250, 1000]) } : {}),
    })),
    jsAllocations: samples(random.below(most), () => ({ weight: 8 * random.below(100) })),
    nativeAllocations: samples(random.below(most), () => ({ weight: random.below(4096) - 2000 })),
  }));
}

/** The tables of a file as its JSON has them. */
interface FileTables {
  readonly stackTable: {
    readonly frame: readonly number[];
    readonly prefix?: readonly (number | null)[];
    readonly prefixOffset?: readonly number[];
  };
  readonly frameTable: { readonly func: readonly number[]; readonly line: readonly (number | null)[] };
  readonly funcTable: { readonly name: readonly number[] };
  readonly stringArray: readonly string[];
}

interface FileSamples {
  readonly length: number;
  readonly stack: readonly (number | null)[];
  readonly weight?: readonly number[] | null;
  readonly duration?: readonly number[];
  readonly threadCPUDelta?: readonly (number | null)[];
}

/**
 * What a profile says by its description alone: each sample's stack is walked from its leaf to its root, in the JSON itself.
 * A line for each stack: thread, frames with their lines, samples and value.
 */
export function firefoxStacks(
  file: object,
  table: string,
  weigh: (weight: number, cpu: number | null | undefined, row: number) => readonly [number, number],
): string[] {
  const sums = new Map<string, readonly [number, number]>();
  const { shared, threads } = file as {
    shared?: FileTables;
    threads: readonly (FileTables & { name: string; tid: number } & Record<
        string,
        FileSamples | undefined
      >)[];
  };
  for (const thread of threads) {
    const {
      stackTable,
      frameTable,
      funcTable,
      stringArray: strings,
    } = { ...shared, ...thread } as FileTables;
    const callerOf = (stack: number): number => {
      const offset = stackTable.prefixOffset?.[stack];
      if (offset !== undefined) return offset === 0 ? -1 : stack - offset;
      return stackTable.prefix?.[stack] ?? -1;
    };
    const rows = thread[table];
    for (let row = 0; row < (rows?.length ?? 0); row++) {
      const frames: string[] = [];
      const leaf = rows?.stack[row] ?? -1;
      if (rows === undefined || leaf < 0) continue;
      for (let at = leaf; at >= 0; at = callerOf(at)) {
        const frame = stackTable.frame[at];
        const line = frameTable.line[frame];
        const name = strings[funcTable.name[frameTable.func[frame]]];
        frames.unshift(`${name.replace('shop/Shop', 'shop.Shop')}${line === null ? '' : `:${line}`}`);
      }
      const weight = (rows.weight ?? rows.duration)?.[row] ?? 1;
      const [count, value] = weigh(weight, rows.threadCPUDelta?.[row], row);
      const key = [`[${thread.name} tid=${thread.tid}]`, ...frames].join(';');
      const sum = sums.get(key) ?? [0, 0];
      sums.set(key, [sum[0] + count, sum[1] + value]);
    }
  }
  return Array.from(sums, ([stack, [count, value]]) => `${stack} ${count} ${value}`)
    .filter((line) => !line.endsWith(' 0 0'))
    .sort();
}
