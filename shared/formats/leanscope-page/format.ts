import { PACKED_MAGIC, PAGE_DATA_ID, PAGE_VERSION } from '../../page/page-ids.ts';
import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { applyDelta } from '../../delta/apply-delta.ts';
import { decodeDelta } from '../../delta/delta-codec.ts';
import { NOTHING } from '../../delta/profile-delta.ts';
import { type Chosen, chosenOption, SAMPLE_TYPE_CHOICE } from '../../facts/choice.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { deltasOfLogs, headOf } from '../../page/packed-page.ts';
import { PAGE_HEAD, type PageHead } from '../../page/page-head.ts';
import { LeanProfile } from '../../profile/lean-profile.ts';
import { DELTA_PREFIX } from '../../protocol/transport.ts';
import { sampleSpan, SampleTable } from '../../profile/sample-table.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import { checkDelta, replay } from './replay.ts';
import { Unzlib } from 'fflate';
import type { MemoryBudget } from '../../aggregate/memory-budget.ts';
import { errorMessage } from '../../text/error-message.ts';

const GENERATOR = /<meta name="generator" content="Leanscope\b/;

/** Pages to send and flame graphs as SVG that Leanscope has written, with their profile in them. */
export const LEANSCOPE_PAGE: ProfileFormat = {
  id: 'leanscope-page',
  name: 'Leanscope page',
  listed: { group: 'Exchange formats', entry: 'Leanscope page' },
  extensions: ['.html', '.svg'],
  follows: false,
  notRecorded: ['what its maker left out'],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (text.startsWith(PACKED_MAGIC)) return is('it begins as profiles that Leanscope has packed');
    if (/^\ufeff?\s*<(!doctype html|html)/i.test(text))
      return GENERATOR.test(text)
        ? is('it is a page that Leanscope has written')
        : isPossible(0.3, 'its page does not name Leanscope');
    if (!/^\ufeff?\s*<(\?xml|svg)\b/.test(text)) return isNot(0, 'it is neither HTML nor SVG');
    return text.includes(`<metadata id="${PAGE_DATA_ID}"`)
      ? is('its drawing has a profile in it')
      : isPossible(0.3, 'its drawing has no profile in it');
  },
  createDecoder: (sink, chosen) => new LeanscopePageDecoder(sink, chosen),
};

/** The two profiles of a comparison. */
const SIDES = ['new', 'base'] as const;

/**
 * Decodes the profile that a page or an SVG of Leanscope carries. Of a comparison it is the new one, unless the base is
 * chosen. What was edited by hand is refused: the data have a checksum, and whoever makes another one must keep to the
 * tables.
 */
class LeanscopePageDecoder extends WholeInputDecoder {
  readonly #chosen: Chosen;
  #facts: FormatFacts = NO_FACTS;

  constructor(sink: SampleSink, chosen: Chosen) {
    super(sink);
    this.#chosen = chosen;
  }

  facts(): FormatFacts {
    return this.#facts;
  }

  protected decodeInput(input: Uint8Array): DecodedInput {
    let from = 0;
    try {
      const data = readPageData(input, this.sink.memory);
      if (data === undefined) return { accepted: 0 };
      from = data.from;
      const { json, end } = headOf(data.bytes);
      const head = checkedHead(json, from);
      const sides = SIDES.slice(0, head.logs.length);
      const side = chosenOption(this.#chosen, SAMPLE_TYPE_CHOICE, sides, 'new');
      const at = sides.indexOf(side);
      const profile = this.#profileOf(deltasOfLogs(data.bytes, head, end)[at]);
      this.#facts = factsOf(head, side, profile, !isPacked(input));
      this.records = profile.selfValues.length;
      replay(profile, this.sink);
      return { accepted: input.length };
    } catch (error) {
      const fault =
        error instanceof PageFault ? error : new PageFault(from, errorMessage(error), 'its tables');
      const { byteOffset, found, expected } = fault;
      return { accepted: 0, damage: { what: 'page', byteOffset, record: 0, found, expected } };
    }
  }

  /** Throws RangeError if the tables are invalid. */
  #profileOf(messages: readonly ArrayBuffer[]): LeanProfile {
    const profile = new LeanProfile(true, new SampleTable());
    let cursor = NOTHING;
    for (const message of messages) {
      const delta = decodeDelta(message, DELTA_PREFIX);
      checkDelta(delta, cursor);
      // Capacities may be anything.
      const { samples } = delta;
      applyDelta(profile, { ...delta, capacity: 0, samples: samples && { ...samples, capacity: 0 } });
      cursor = delta.to;
    }
    const { nodes, selfValues } = profile;
    for (let row = 0; row < selfValues.length; row++)
      if (nodes.isRoot(selfValues.node[row])) throw new RangeError(`selfValues.node[${row}] is a thread`);
    return profile;
  }
}

function checkedHead(json: unknown, from: number): PageHead {
  const { version } = (json ?? {}) as { readonly version?: unknown };
  if (typeof version === 'number' && version > PAGE_VERSION)
    throw new PageFault(
      from,
      `version ${version} of the page`,
      `version ${PAGE_VERSION}, or a later Leanscope`,
    );
  const parsed = PAGE_HEAD.safeParse(json);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new PageFault(from, `${path.join('.')}: ${message}`, 'what Leanscope writes about a profile');
}

function factsOf(
  { logs, note, madeBy }: PageHead,
  side: (typeof SIDES)[number],
  profile: LeanProfile,
  isPage: boolean,
): FormatFacts {
  const { name, facts } = logs[SIDES.indexOf(side)];
  const span = profile.samples && sampleSpan(profile.samples);
  const last = facts.lastTime === undefined ? undefined : BigInt(facts.lastTime);
  return {
    ...NO_FACTS,
    ...facts,
    losses: facts.losses.map((loss) => ({ ...loss, advice: loss.advice })),
    notes: [
      ...(isPage ? [`A page of ${name}, made by Leanscope ${madeBy} from ${facts.formatName}.`] : []),
      ...(note === '' ? [] : [`Its maker says: ${note}`]),
      ...facts.notes,
    ],
    choices:
      logs.length < 2
        ? []
        : [
            {
              id: SAMPLE_TYPE_CHOICE,
              name: 'Profile',
              hint: 'The page compares two profiles.',
              kind: 'one',
              options: SIDES.map((value, at) => ({ value, text: `${value}: ${logs[at].name}` })),
              chosen: side,
            },
          ],
    units: { counted: facts.units.counted, value: facts.units.value },
    firstTime: span?.first ?? (last === undefined ? undefined : last - BigInt(Math.round(facts.spanNs ?? 0))),
    lastTime: span?.last ?? last,
    hasSampleTimes: span !== undefined,
    errorThreads: new Map(),
    deepestStack: undefined,
  };
}

/** Why a page cannot be read: where in the file, what is there, and what should be. */
class PageFault extends Error {
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;

  constructor(byteOffset: number, found: string, expected: string) {
    super(`${found} at byte ${byteOffset}, expected ${expected}`);
    this.byteOffset = byteOffset;
    this.found = found;
    this.expected = expected;
  }
}

const ELEMENT = new RegExp(`<(?:script|metadata)\\b[^<>]*\\bid="${PAGE_DATA_ID}"[^<>]*>`);
/** Bytes that are unpacked at once, at most a thousand times as many. */
const PIECE_BYTES = 1 << 14;
/** Bytes of the checksum at the end. */
const CHECKSUM_BYTES = 4;

/** Whether a file has nothing but packed profiles. */
function isPacked(file: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(file.subarray(0, PACKED_MAGIC.length)) === PACKED_MAGIC;
}

/** The unpacked data of a page, and where they begin in it. undefined: the budget refuses them. Throws PageFault. */
function readPageData(
  page: Uint8Array,
  memory: Pick<MemoryBudget, 'hold'>,
): { readonly bytes: Uint8Array; readonly from: number } | undefined {
  if (isPacked(page)) return { bytes: page.subarray(PACKED_MAGIC.length), from: PACKED_MAGIC.length };
  const text = new TextDecoder('latin1').decode(page);
  const element = ELEMENT.exec(text);
  if (element === null)
    throw new PageFault(page.length, 'the end of the file', `an element with the id ${PAGE_DATA_ID}`);
  const from = element.index + element[0].length;
  const end = text.indexOf('<', from);
  if (end < 0) throw new PageFault(page.length, 'the end of the file', 'the rest of the profile');
  if (!memory.hold(end - from)) return undefined;
  const packed = fromBase64(page, from, end);
  const bytes = unpacked(packed, from, memory);
  return bytes && { bytes, from };
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Int8Array(256).fill(-1);
for (let digit = 0; digit < BASE64.length; digit++) DIGITS[BASE64.charCodeAt(digit)] = digit;
/** Editors may have wrapped the line. */
const BLANKS = ' \t\r\n';

function fromBase64(page: Uint8Array, from: number, end: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(((end - from) * 3) / 4));
  let length = 0;
  let bits = 0;
  let rest = 0;
  for (let at = from; at < end; at++) {
    const digit = DIGITS[page[at]];
    if (digit < 0) {
      const character = String.fromCharCode(page[at]);
      if (character === '=' || BLANKS.includes(character)) continue;
      throw new PageFault(at, `the character ${JSON.stringify(character)}`, 'base64');
    }
    rest = ((rest << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = rest >>> bits;
  }
  return bytes.subarray(0, length);
}

/** fflate does not compare the checksum: otherwise data that somebody has edited would be read as they are. */
function unpacked(
  packed: Uint8Array,
  from: number,
  memory: Pick<MemoryBudget, 'hold'>,
): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const budget = { isSpent: false };
  const inflate = new Unzlib((piece) => {
    if (budget.isSpent || !memory.hold(piece.length * 2)) budget.isSpent = true;
    else {
      pieces.push(piece);
      length += piece.length;
    }
  });
  try {
    for (let at = 0; at < packed.length && !budget.isSpent; at += PIECE_BYTES)
      inflate.push(packed.slice(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.length);
  } catch {
    throw new PageFault(from, 'data that cannot be unpacked', 'the packed profile as Leanscope wrote it');
  }
  if (budget.isSpent) return undefined;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const isWhole = packed.length > CHECKSUM_BYTES;
  const told = isWhole
    ? new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - CHECKSUM_BYTES)
    : -1;
  if (adler32(bytes) !== told)
    throw new PageFault(
      from,
      'data that do not match their checksum',
      'the packed profile as Leanscope wrote it',
    );
  return bytes;
}

/** Sums of so many bytes stay below 2^32. */
const ADLER_BYTES = 2_000;

/** The checksum of zlib (RFC 1950). */
function adler32(bytes: Uint8Array): number {
  let sum = 1;
  let sums = 0;
  for (let from = 0; from < bytes.length; from += ADLER_BYTES) {
    const end = Math.min(from + ADLER_BYTES, bytes.length);
    for (let at = from; at < end; at++) sums += sum += bytes[at];
    sum %= 65_521;
    sums %= 65_521;
  }
  return ((sums << 16) | sum) >>> 0;
}
