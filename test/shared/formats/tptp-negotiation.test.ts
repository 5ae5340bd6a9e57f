import { expect, test } from 'vitest';
import { type TraceForm, TraceNegotiation } from '../../../shared/formats/tptp/negotiation.ts';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const answer = (form: string, close = '</enabledOutputFormat>'): string =>
  `<enabledOutputFormat><format>${form}</format>${close}`;

/** The agreement after these bytes, in pieces: `binary: 0TBF`, `no trace: …`, 'nothing yet'. */
function agree(text: string, piece = text.length, wanted: TraceForm = 'binary'): string {
  const negotiation = new TraceNegotiation(wanted);
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += piece) {
    const agreement = negotiation.receive(bytes.subarray(at, at + piece));
    if (agreement === undefined) continue;
    if (agreement.form === undefined) return `no trace: ${agreement.found}`;
    const rest = bytes.subarray(Math.min(bytes.length, at + piece));
    return `${agreement.form}: ${String.fromCharCode(...agreement.trace, ...rest)}`;
  }
  return 'nothing yet';
}

test('a client asks for the binary form; one that wants XML does not ask', () => {
  expect(new TraceNegotiation('binary').request).toBe(
    '<setOutputFormat><format>binary</format></setOutputFormat>',
  );
  expect(new TraceNegotiation('xml').request).toBeUndefined();
});

test.each([
  ['an agent that knows it', `${answer('binary')}0TBF...`, 'binary: 0TBF...'],
  [
    'as the document writes it, without the slash',
    `${answer('binary', '<enabledOutputFormat>')}0TBF`,
    'binary: 0TBF',
  ],
  [
    'with blanks',
    `\r\n<enabledOutputFormat> <format>binary</format>\n</enabledOutputFormat>\n0TBF`,
    'binary: 0TBF',
  ],
  ['an agent that refuses', `${answer('xml')}<TRACE>`, 'xml: <TRACE>'],
  ['an answer that nobody knows', `${answer('zip')}<TRACE>`, 'xml: <TRACE>'],
  ['an older agent does not answer', '<?xml version="1.0"?><TRACE>', 'xml: <?xml version="1.0"?><TRACE>'],
  ['an agent that was told so itself', '0TBF\x01...', 'binary: 0TBF\x01...'],
  ['likewise with a NUL', '\0TBF\x01...', 'binary: \0TBF\x01...'],
  ['an answer alone', answer('binary'), 'nothing yet'],
  ['half an answer', '<enabledOutputFo', 'nothing yet'],
  ['a browser', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n<TRACE>', 'no trace: "POST / HTTP/1.1\\r"'],
  ['nothing but blanks', ' '.repeat(2000), 'no trace: nothing but blanks'],
  [
    'an answer without an end',
    `<enabledOutputFormat>${'x'.repeat(1100)}`,
    `xml: <enabledOutputFormat>${'x'.repeat(1100)}`,
  ],
])('%s', (_, text, agreement) => {
  expect(agree(text)).toBe(agreement);
  // However the bytes come in pieces.
  for (const piece of [2, 7, 1]) {
    const inPieces = agree(text, piece);
    if (agreement.startsWith('no trace')) expect(inPieces).toMatch(/^no trace/);
    else expect(inPieces).toBe(agreement);
  }
});
