import { decodeDelta, encodeDelta } from '../delta/delta-codec.ts';
import { deltasOfWhole } from '../delta/make-delta.ts';
import type { LogFacts } from '../facts/log-facts.ts';
import { type MeasuredSeries, USUAL_SERIES } from '../facts/measured-series.ts';
import type { LeanProfile } from '../profile/lean-profile.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { DELTA_PREFIX } from '../protocol/transport.ts';
import type { PageFacts, PageHead } from './page-head.ts';
import { PAGE_VERSION } from './page-ids.ts';

/** A log for a page. */
export interface PageLog {
  readonly name: string;
  readonly facts: PageFacts;
  readonly profile: LeanProfile;
}

/** The texts of a page besides its logs. */
export type PageTexts = Omit<PageHead, 'logs' | 'version'>;

const LENGTH_BYTES = 4;

/**
 * Head and profiles as bytes, to be compressed:
 *
 *   u32       length of the head in bytes, little-endian
 *   head      JSON: see `PAGE_HEAD`
 *   deltas    of each log in their order, one after another, as messages of a host to a client, with the first bytes of
 *             all numbers of a column before the second ones: then deflate needs a fifth less
 */
export function packPage(texts: PageTexts, logs: readonly PageLog[]): Uint8Array<ArrayBuffer> {
  const messages = logs.map(({ profile }) =>
    Array.from(deltasOfWhole(profile, profile.samples), (delta) => {
      const message = encodeDelta(delta, DELTA_PREFIX);
      eachColumn(message, splitPlanes);
      return new Uint8Array(message);
    }),
  );
  const head: PageHead = {
    ...texts,
    version: PAGE_VERSION,
    logs: logs.map(({ name, facts }, at) => ({
      name,
      facts,
      deltas: messages[at].map(({ length }) => length),
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(head));
  const all = messages.flat();
  const packed = new Uint8Array(all.reduce((sum, { length }) => sum + length, LENGTH_BYTES + text.length));
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, LENGTH_BYTES);
  let at = LENGTH_BYTES + text.length;
  for (const message of all) {
    packed.set(message, at);
    at += message.length;
  }
  return packed;
}

/** The head of unpacked bytes, as JSON that is not checked, and the place of what follows. Throws if they are no page. */
export function headOf(bytes: Uint8Array): { readonly json: unknown; readonly end: number } {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const end = LENGTH_BYTES + length;
  if (end > bytes.length) throw new RangeError('the head is longer than the data');
  return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, end))), end };
}

/** The deltas of each log, as messages of a host. Throws if bytes are missing. */
export function deltasOfLogs(
  bytes: Uint8Array,
  { logs }: Pick<PageHead, 'logs'>,
  from: number,
): readonly (readonly ArrayBuffer[])[] {
  let at = from;
  const found = logs.map(({ deltas }) =>
    deltas.map((length) => {
      const message = bytes.slice(at, at + length);
      at += length;
      eachColumn(message.buffer, joinPlanes);
      return message.buffer;
    }),
  );
  if (at !== bytes.length) throw new RangeError(`${bytes.length} bytes of data, and not ${at}`);
  return found;
}

/** Calls `change` with the bytes of each column of more than two bytes a number. Throws if the message is invalid. */
function eachColumn(message: ArrayBuffer, change: (bytes: Uint8Array, width: number) => void): void {
  const delta = decodeDelta(message, DELTA_PREFIX);
  const groups = [
    delta.threads,
    delta.methods,
    delta.frames,
    delta.nodes,
    delta.reparented,
    delta.selfValues,
    delta.changed,
    delta.samples ?? {},
  ];
  for (const column of groups.flatMap((group) => Object.values(group))) {
    if (!ArrayBuffer.isView(column)) continue;
    const { byteOffset, byteLength } = column;
    const width = (column as Int32Array).BYTES_PER_ELEMENT;
    if (width > 2) change(new Uint8Array(message, byteOffset, byteLength), width);
  }
}

/**
 * Puts equal places of all numbers together.
 *
 *   1 0 0 0  2 0 0 0  3 0 0 0   becomes   1 2 3  0 0 0  0 0 0  0 0 0
 */
function splitPlanes(bytes: Uint8Array, width: number): void {
  const numbers = bytes.slice();
  const rows = bytes.length / width;
  for (let place = 0, to = 0; place < width; place++)
    for (let row = 0; row < rows; row++) bytes[to++] = numbers[row * width + place];
}

function joinPlanes(bytes: Uint8Array, width: number): void {
  const planes = bytes.slice();
  const rows = bytes.length / width;
  for (let place = 0, from = 0; place < width; place++)
    for (let row = 0; row < rows; row++) bytes[row * width + place] = planes[from++];
}

/** The parts of a log that go into a page. */
interface SharedPart {
  readonly hasTimes: boolean;
  readonly isAnonymous: boolean;
  /** Nothing is outside of it. */
  readonly isWhole: boolean;
  /** ns since 1970; undefined: no bound. */
  readonly bounds: { readonly from: bigint | undefined; readonly to: bigint | undefined };
}

/** The facts of a log that may be passed on. */
export function pageFacts(
  facts: LogFacts,
  { hasTimes, isAnonymous, isWhole, bounds }: SharedPart,
): PageFacts {
  const { format, formatName, notRecorded, units, javaVersion, errorSamples, truncated } = facts;
  const { backwardSteps, spanNs, lastTime, deepestStack, losses, notes, series, gaps } = facts;
  return {
    format,
    formatName,
    javaVersion,
    deepestStack,
    units: isAnonymous ? usualUnits(units) : units,
    notRecorded: [...notRecorded],
    // Sentences may name events, threads and files, and count what is outside.
    notes: isAnonymous || !isWhole ? [] : notes.filter((note) => !/[\\/]\S*[\\/]/.test(note)),
    losses: isAnonymous || !isWhole ? [] : [...losses],
    errorSamples: isWhole ? errorSamples : {},
    series: hasTimes
      ? series.map((each, at) => withinBounds(isAnonymous ? withoutName(each, at) : each, bounds))
      : [],
    hasSampleTimes: hasTimes,
    ...(isWhole ? { truncated } : {}),
    ...(isWhole && hasTimes ? { gaps, backwardSteps } : {}),
    ...(hasTimes ? { spanNs, lastTime } : {}),
  };
}

/** Units that are named by formats; others by the program, as its own events are. */
const USUAL_UNITS: readonly string[] = [
  'sample',
  'call',
  'event',
  'byte',
  'nanosecond',
  'millisecond',
  'interval',
  'snapshot',
  'allocation',
  'exception',
  'object',
  'contention',
  'wait',
];
const USUAL_VALUES: readonly string[] = ['CPU time', 'Time', 'Size'];

function usualUnits({ counted, value }: ProfileUnits): ProfileUnits {
  const isUsual = USUAL_UNITS.includes(counted.one);
  const { meaning: _, ...plain } = value ?? { name: '', unit: 'ns' };
  const name = USUAL_VALUES.includes(plain.name) ? plain.name : plain.unit === 'ns' ? 'Time' : 'Size';
  return {
    counted: isUsual ? counted : { ...counted, one: 'event', many: 'events' },
    value: value && { ...plain, name },
  };
}

/** A series without the name of an event, of a field or of a log, but for those that every recording may have. */
function withoutName(series: MeasuredSeries, at: number): MeasuredSeries {
  const { log: _, ...rest } = series;
  if (USUAL_SERIES.has(series.id) || series.id.startsWith('jdk.')) return rest;
  return { ...rest, id: `series-${at + 1}`, name: `Series ${at + 1}` };
}

function withinBounds(
  series: MeasuredSeries,
  { from, to }: SharedPart['bounds'],
): PageFacts['series'][number] {
  const first = BigInt(series.first);
  const isWithin = (at: number): boolean => {
    const time = first + BigInt(Math.round(at * 1e6));
    return (from === undefined || time >= from) && (to === undefined || time < to);
  };
  const places = [...series.at.keys()].filter((place) => isWithin(series.at[place]));
  return {
    ...series,
    at: places.map((place) => series.at[place]),
    values: places.map((place) => series.values[place]),
  };
}
