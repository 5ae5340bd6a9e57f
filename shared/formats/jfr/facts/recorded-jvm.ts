import { COMPACT_HEADERS, COOPERATIVE } from '../../../facts/java-releases.ts';
import { type FactTable, factTable, MOST_THREAD_ROWS, TIMED_METHODS } from '../../../facts/format-facts.ts';
import { majorVersion } from '../../../text/java-version.ts';
import { poolOf } from '../../../text/thread-pools.ts';
import { capitalised } from '../../../text/format-value.ts';

/** Collectors' usual names by their part for old objects. */
const COLLECTORS: ReadonlyMap<string, string> = new Map([
  ['SerialOld', 'Serial'],
  ['ParallelOld', 'Parallel'],
  ['G1Old', 'G1'],
  ['ZGCMajor', 'ZGC'],
  ['Z', 'ZGC'],
]);
/** A larger number stands for none. */
const MOST_CORES = 65_536;
/** The first release with the option for compact headers, and with one for an AOT cache (JEP 450, 483). */
const FIRST_SETTINGS = 24;

const COLUMNS = 'Property | Value';
/** A longer command line is cut, because tables are sent to the window several times a second. */
const MOST_CHARACTERS = 2_000;
/** `OpenJDK 64-Bit Server VM (17.0.12+7) for linux-amd64 JRE (17.0.12+7), built on …`. */
const JDK_VERSION = /JRE \(([^()\s]+)\)/;
/** async-profiler writes no more than the version. */
const BARE_VERSION = /^\d[\w.+-]*$/;

/** The JVM that was recorded. The latest chunk counts: only a repository could have another JVM in an earlier one. */
export class RecordedJvm {
  readonly #texts = new Map<string, readonly string[]>();

  /** The texts of an event's fields; empty where the recording has none. */
  note(event: string, texts: readonly string[]): void {
    this.#texts.set(event, texts);
  }

  #of(event: string): readonly string[] {
    return this.#texts.get(event) ?? [];
  }

  /** Without the number of its build; undefined if the recording does not name it. */
  get javaVersion(): string | undefined {
    const [, version = ''] = this.#of('jdk.JVMInformation');
    const known = javaVersion(version).replace(/[+-].*/, '');
    return known === '' ? undefined : known;
  }

  get #collector(): string {
    const [young = '', old = ''] = this.#of('jdk.GCConfiguration');
    return COLLECTORS.get(old) ?? (old === '' || old === 'N/A' ? young : old);
  }

  /** The processors that the JVM may use. */
  get #cores(): string {
    const [allowed = ''] = this.#of('jdk.ContainerConfiguration');
    const [all = ''] = this.#of('jdk.CPUInformation');
    return Number(allowed) > 0 && Number(allowed) <= MOST_CORES ? allowed : all;
  }

  tables(): readonly FactTable[] {
    const [name = '', version = '', program = '', options = ''] = this.#of('jdk.JVMInformation');
    const jvm = tableOf('JVM', [
      ['Java version', javaVersion(version)],
      ['Virtual machine', name],
      ['Garbage collector', this.#collector],
      ['Cores', this.#cores],
      ...settingsOf(options, JDK_VERSION.test(version) ? majorVersion(javaVersion(version)) : undefined),
    ]);
    const commandLine = tableOf('Command line', [
      ['Program', program],
      ['Options', options],
    ]);
    return [...jvm, ...commandLine.map((table) => ({ ...table, isPrivate: true as const }))];
  }
}

/** Settings that make shares or allocations mean something else. The rest of the options is private. */
function settingsOf(
  options: string,
  major: number | undefined,
): readonly (readonly [row: string, text: string])[] {
  const compact = [...options.matchAll(/-XX:([+-])UseCompactObjectHeaders\b/g)].at(-1)?.[1];
  const hasSettings = (major ?? 0) >= FIRST_SETTINGS;
  const isCompact = compact === undefined ? (major ?? 0) >= COMPACT_HEADERS : compact === '+';
  const hasCache = /-XX:AOTCache=\S/.test(options) && !/-XX:AOTMode=(?:off|record)\b/.test(options);
  return [
    ['Compact headers', hasSettings ? (isCompact ? 'on' : 'off') : ''],
    ['AOT cache', hasSettings ? (hasCache ? 'used' : 'none') : ''],
    [
      'Execution samples',
      (major ?? 0) >= COOPERATIVE ? 'cooperative: a thread writes its stack at its next safepoint' : '',
    ],
    ['Stack depth', /\bstackdepth=(\d+)/.exec(options)?.[1] ?? ''],
  ];
}

/** Without the rows that the recording does not have; none if it has none of them. */
function tableOf(title: string, texts: readonly (readonly [row: string, text: string])[]): FactTable[] {
  const rows = texts.filter(([, text]) => text !== '').map(([row, text]) => [row, cut(text)]);
  return rows.length === 0 ? [] : [factTable(title, COLUMNS, rows)];
}

function javaVersion(version: string): string {
  const known = JDK_VERSION.exec(version)?.[1];
  return known ?? (BARE_VERSION.test(version) ? version : '');
}

function cut(value: string): string {
  return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
}

/** The latest numbers of a method that the JVM has timed. */
interface MethodTiming {
  readonly invocations: number;
  /** ns; undefined if the clock of the JVM was too coarse for it. */
  readonly least: number | undefined;
  readonly average: number | undefined;
  readonly most: number | undefined;
}

const TIMING_COLUMNS = 'Method | Invocations:count | Minimum:ns | Average:ns | Maximum:ns';
/** Most methods that are kept. */
const MOST_METHODS = 2_000;

/**
 * The methods that a JVM has timed (JEP 520). An event has the sums since the recording began, so that the latest one of a
 * method counts.
 */
export class MethodTimings {
  readonly #methods = new Map<string, MethodTiming>();
  #leftOut = 0;

  note(method: string, timing: MethodTiming): void {
    if (this.#methods.size === MOST_METHODS && !this.#methods.has(method)) this.#leftOut++;
    else this.#methods.set(method, timing);
  }

  /** The methods that took most time come first. No table if the recording has no such events. */
  tables(): readonly FactTable[] {
    if (this.#methods.size === 0) return [];
    const taken = ({ invocations, average = 0 }: MethodTiming): number => invocations * average;
    const rows = [...this.#methods]
      .sort(([, a], [, b]) => taken(b) - taken(a))
      .map(([method, { invocations, least, average, most }]) => [method, invocations, least, average, most]);
    const table = factTable(TIMED_METHODS, TIMING_COLUMNS, rows);
    return [{ ...table, leftOut: table.leftOut + this.#leftOut }];
  }
}

/** The group of all virtual threads. */
const VIRTUAL = 'VirtualThreads';
/** Most names of threads without a row that are told apart; further ones are not counted. */
const MOST_LEFT_OUT = 100_000;

/** Groups and states of the threads that have samples. Threads of one name are one. */
export class RecordedThreads {
  readonly #threads = new Map<string, { readonly groups: Set<string>; readonly states: Set<string> }>();
  /** Names of further threads: each has samples in many chunks, and is counted once. */
  readonly #leftOut = new Set<string>();

  add(name: string, group: string | undefined, states: readonly string[]): void {
    let thread = this.#threads.get(name);
    if (thread === undefined) {
      if (this.#threads.size === MOST_THREAD_ROWS) {
        if (this.#leftOut.size < MOST_LEFT_OUT) this.#leftOut.add(name);
        return;
      }
      thread = { groups: new Set(), states: new Set() };
      this.#threads.set(name, thread);
    }
    if (group !== undefined && group !== '') thread.groups.add(group);
    for (const state of states) thread.states.add(state);
  }

  /** A thread has another name. `isLast`: no other thread has the former one. */
  rename(from: string, to: string, isLast: boolean): void {
    const former = this.#threads.get(from);
    if (former === undefined) return;
    if (isLast) this.#threads.delete(from);
    this.add(to, undefined, [...former.states]);
    for (const group of former.groups) this.add(to, group, []);
  }

  /**
   * No table if the recording says nothing of its threads but their names. Virtual threads of one pool are one row: there
   * is one for each request.
   */
  tables(): readonly FactTable[] {
    /** Row of virtual threads -> how many names it stands for. */
    const pools = new Map<string, number>();
    const rows = new Map<string, { readonly groups: Set<string>; readonly states: Set<string> }>();
    for (const [name, { groups, states }] of this.#threads) {
      const isVirtual = groups.size === 1 && groups.has(VIRTUAL);
      const row = isVirtual ? poolOf(name) : name;
      rows.set(row, { groups, states: new Set([...(rows.get(row)?.states ?? []), ...states]) });
      if (isVirtual) pools.set(row, (pools.get(row) ?? 0) + 1);
    }
    let leftOut = 0;
    for (const name of this.#leftOut) {
      const count = pools.get(poolOf(name));
      if (count === undefined) leftOut++;
      else pools.set(poolOf(name), count + 1);
    }
    const hasPools = [...pools.values()].some((count) => count > 1);
    const named = [...rows].map(([row, { groups, states }]) => [
      row,
      textOf(groups),
      textOf(new Set([...states].map(describeState))),
      ...(hasPools ? [pools.get(row)] : []),
    ]);
    if (named.every(([, group, states]) => group === undefined && states === undefined)) return [];
    const columns = `Thread | Group | States${hasPools ? ' | Names:count' : ''}`;
    return [{ ...factTable('Threads', columns, named, MOST_THREAD_ROWS), leftOut }];
  }
}

function textOf(values: ReadonlySet<string>): string | undefined {
  return values.size === 0 ? undefined : [...values].sort().join(', ');
}

/** `STATE_IN_OBJECT_WAIT` -> `In object wait`. */
export function describeState(state: string): string {
  const words = state
    .replace(/^STATE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return capitalised(words);
}
