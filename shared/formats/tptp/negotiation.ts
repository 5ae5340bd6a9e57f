/** The two forms that an agent can write a trace in. */
export type TraceForm = 'binary' | 'xml';

/** The result of a negotiation. */
type Agreement =
  | {
      readonly form: TraceForm;
      /** The bytes of the trace that have been received. */
      readonly trace: Uint8Array;
    }
  /** The bytes received are not a trace. */
  | { readonly form: undefined; readonly found: string };

const REQUEST = '<setOutputFormat><format>binary</format></setOutputFormat>';
const ANSWER_BEGINS = '<enabledOutputFormat';
/** The slash of the closing tag is optional, because it is missing in the format's document. */
const ANSWER = /^\s*<enabledOutputFormat>\s*<format>\s*([^<\s]*)\s*<\/format>\s*<\/?enabledOutputFormat>\s*/;
/** Answers are shorter. */
const MAX_ANSWER_BYTES = 1024;

/**
 * The client side of the negotiation: binary traces are preferred, XML is accepted (specs: tptp, section 4):
 *
 *   client               agent             its answer                        trace
 *   requests binary      supports binary   <enabledOutputFormat>…binary…     binary
 *   requests binary      is older          none                              XML
 *   requests nothing     supports binary   none                              XML
 *
 * Without an answer, the first bytes of the trace show its form: an agent may also be configured by its own command
 * line.
 */
export class TraceNegotiation {
  /** The request to send first; undefined if XML is wanted. */
  readonly request: string | undefined;
  #held = new Uint8Array(0);

  /** A client that wants XML sends no request, like clients from before the binary form existed. */
  constructor(wanted: TraceForm) {
    this.request = wanted === 'binary' ? REQUEST : undefined;
  }

  /** Takes the next bytes from the agent. Undefined while more are needed. */
  receive(bytes: Uint8Array): Agreement | undefined {
    const held = new Uint8Array(this.#held.length + bytes.length);
    held.set(this.#held);
    held.set(bytes, this.#held.length);
    this.#held = held;
    return this.#agree();
  }

  #agree(): Agreement | undefined {
    const held = this.#held;
    const text = String.fromCharCode(...held.subarray(0, MAX_ANSWER_BYTES));
    const answer = ANSWER.exec(text);
    if (answer !== null) {
      const trace = held.subarray(answer[0].length);
      // Wait for the trace: blanks before it belong to the answer.
      if (trace.length === 0) return undefined;
      return { form: answer[1] === 'binary' ? 'binary' : 'xml', trace };
    }
    const start = text.trimStart();
    if (start === '') {
      if (text.length === MAX_ANSWER_BYTES) return { form: undefined, found: 'nothing but blanks' };
      return undefined;
    }
    const isAnswerSoFar = start.startsWith(ANSWER_BEGINS) || ANSWER_BEGINS.startsWith(start);
    if (isAnswerSoFar && held.length < MAX_ANSWER_BYTES) return undefined;
    if (start.startsWith('<')) return { form: 'xml', trace: held };
    const magic = text.slice(0, 4);
    if (/^[0\0]TBF/.test(magic)) return { form: 'binary', trace: held };
    if (['0TBF', '\0TBF'].some((whole) => whole.startsWith(magic))) return undefined;
    return { form: undefined, found: JSON.stringify(text.slice(0, 16)) };
  }
}
