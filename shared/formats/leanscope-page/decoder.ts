import type { SampleSink } from '../../aggregate/sample-sink.ts';
import { applyDelta } from '../../delta/apply-delta.ts';
import { decodeDelta } from '../../delta/delta-codec.ts';
import { NOTHING } from '../../delta/profile-delta.ts';
import { type Chosen, chosenOption, SAMPLE_TYPE_CHOICE } from '../../facts/choice.ts';
import { type FormatFacts, NO_FACTS } from '../../facts/format-facts.ts';
import { deltasOfLogs, headOf } from '../../page/packed-page.ts';
import { PAGE_HEAD, type PageHead } from '../../page/page-head.ts';
import { PAGE_VERSION } from '../../page/page-ids.ts';
import { LeanProfile } from '../../profile/lean-profile.ts';
import { DELTA_PREFIX } from '../../protocol/delta-message.ts';
import { SampleTable, sampleSpan } from '../../profile/sample-table.ts';
import { type DecodedInput, WholeInputDecoder } from '../whole-input.ts';
import { checkDelta } from './check-delta.ts';
import { PageFault, readPageData } from './page-data.ts';
import { replay } from './replay.ts';

/** Which of the two profiles of a comparison. */
const SIDES = ['new', 'base'] as const;

/**
 * Decodes the profile that a page or an SVG of Leanscope carries. Of a comparison it is the new one, unless the base is
 * chosen. What was edited by hand is refused: the data have a checksum, and whoever makes another one must keep to the
 * tables.
 */
export class LeanscopePageDecoder extends WholeInputDecoder {
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
      this.#facts = factsOf(head, side, profile);
      this.records = profile.selfValues.length;
      replay(profile, this.sink);
      return { accepted: input.length };
    } catch (error) {
      const fault = error instanceof PageFault ? error : new PageFault(from, textOf(error), 'its tables');
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
): FormatFacts {
  const { name, facts } = logs[SIDES.indexOf(side)];
  const span = profile.samples && sampleSpan(profile.samples);
  return {
    ...NO_FACTS,
    ...facts,
    losses: facts.losses.map((loss) => ({ ...loss, advice: loss.advice })),
    notes: [
      `A page of ${name}, made by Leanscope ${madeBy} from ${facts.formatName}.`,
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
    firstTime: span?.first,
    lastTime: span?.last,
    hasSampleTimes: span !== undefined,
    errorThreads: new Map(),
    deepestStack: undefined,
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
