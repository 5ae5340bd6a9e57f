/** The two forms that an agent can write a trace in. */
export type TraceForm = 'binary' | 'xml';

/** What the first bytes from an agent made of a connection. */
export type Agreement =
  | {
      readonly form: TraceForm;
      /** The first bytes of the trace, which have come already. */
      readonly trace: Uint8Array;
    }
  /** The bytes received are not a trace. */
  | { readonly form: undefined; readonly found: string };

const REQUEST = '<setOutputFormat><format>binary</format></setOutputFormat>';
const ANSWER_BEGINS = '<enabledOutputFormat';
/** The format's document forgets the slash of the closing tag. */
const ANSWER = /^\s*<enabledOutputFormat>\s*<format>\s*([^<\s]*)\s*<\/format>\s*<\/?enabledOutputFormat>\s*/;
/** The longest answer. */
const MOST_ANSWER_BYTES = 1024;

/**
 * The client side of the negotiation: binary traces are preferred, XML is accepted (specs: tptp, section 4):
 *
 *   client            agent           sent by the agent                     trace
 *   asks for binary   knows binary    <enabledOutputFormat>…binary…         binary
 *   asks for binary   is older        nothing, or what it always says       XML
 *   never asks        knows binary    nothing                               XML
 *
 * An agent may be configured by its own command line instead. So the form of the trace it sends decides.
 */
export class TraceNegotiation {
  /** The request to send first; undefined when XML is wanted. */
  readonly request: string | undefined;
  #held = new Uint8Array(0);

  /** `wanted`: a client that wants XML sends no request, as clients did before the binary form existed. */
  constructor(wanted: TraceForm) {
    this.request = wanted === 'binary' ? REQUEST : undefined;
  }

  /** The next bytes from the agent, until there is an agreement; undefined while there is none. */
  receive(bytes: Uint8Array): Agreement | undefined {
    const held = new Uint8Array(this.#held.length + bytes.length);
    held.set(this.#held);
    held.set(bytes, this.#held.length);
    this.#held = held;
    return this.#agree();
  }

  #agree(): Agreement | undefined {
    const held = this.#held;
    const text = String.fromCharCode(...held.subarray(0, MOST_ANSWER_BYTES));
    const answer = ANSWER.exec(text);
    if (answer !== null) {
      const trace = held.subarray(answer[0].length);
      // What comes next tells whether it is so; blanks in between are no part of a trace.
      if (trace.length === 0) return undefined;
      return { form: answer[1] === 'binary' ? 'binary' : 'xml', trace };
    }
    const start = text.trimStart();
    if (start === '') {
      if (text.length === MOST_ANSWER_BYTES) return { form: undefined, found: 'nothing but blanks' };
      return undefined;
    }
    const isAnswerSoFar = start.startsWith(ANSWER_BEGINS) || ANSWER_BEGINS.startsWith(start);
    if (isAnswerSoFar && held.length < MOST_ANSWER_BYTES) return undefined;
    if (start.startsWith('<')) return { form: 'xml', trace: held };
    const magic = text.slice(0, 4);
    if (/^[0\0]TBF/.test(magic)) return { form: 'binary', trace: held };
    if (['0TBF', '\0TBF'].some((whole) => whole.startsWith(magic))) return undefined;
    return { form: undefined, found: JSON.stringify(text.slice(0, 16)) };
  }
}
