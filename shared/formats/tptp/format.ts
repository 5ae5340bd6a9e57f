import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { HEADER_BYTES, magicLength, messageOfName, MESSAGES } from './messages.ts';
import { TraceDecoder } from './trace-decoder.ts';
import { BinaryEvents } from './binary-events.ts';
import { XmlEvents } from './xml-events.ts';

const NOT_RECORDED = [
  'lines and thread states',
  'callers that a filter of the agent excluded',
  'CPU time of calls, unless the agent measured it',
];

/** Eclipse TPTP's trace in its binary form (specs: tptp). */
export const TPTP_BINARY: ProfileFormat = {
  id: 'tptp',
  name: 'TPTP trace (binary)',
  listed: { group: 'Traces and dumps', entry: 'TPTP' },
  extensions: ['.trcbin'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseBinary,
  createDecoder: (sink, chosen) => new TraceDecoder(sink, chosen, (receiver) => new BinaryEvents(receiver)),
};

/** Eclipse TPTP's trace as XML elements, one for each event. */
export const TPTP_XML: ProfileFormat = {
  id: 'tptp-xml',
  name: 'TPTP trace (XML)',
  listed: { group: 'Traces and dumps', entry: 'TPTP' },
  extensions: ['.trcxml'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseXml,
  createDecoder: (sink, chosen) => new TraceDecoder(sink, chosen, (receiver) => new XmlEvents(receiver)),
};

function recogniseBinary(head: Uint8Array): Recognition {
  const length = Math.min(magicLength(head), head.length);
  if (length === 4) {
    if (head.length < HEADER_BYTES) return isPossible(0.9, 'its header is incomplete');
    return is('it begins with 0TBF');
  }
  const because = 'it does not begin with 0TBF';
  return length === head.length ? isPossible(0.3, because) : isNot(length < 2 ? 0 : length / 5, because);
}

/**
 * The first element after declarations and comments must be <TRACE>, or an event that has one of its attributes. If
 * `head` ends before that is certain, the verdict is 'possible'.
 */
function recogniseXml(head: Uint8Array): Recognition {
  const text = new TextDecoder('latin1').decode(head).replace(/^\xef\xbb\xbf/, '');
  const rest = text.replace(/^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<![A-Z][^<>[]*(?:\[[^\]]*\]\s*)?>)+/, '');
  if (rest === '') return isPossible(0.1, 'it has no XML element');
  if (!rest.startsWith('<')) return isNot(0, 'it does not begin with <');
  if (/^<[?!]/.test(rest)) return isPossible(0.2, 'its XML declaration is incomplete');
  if (/^<TRACE[\s/>]/.test(rest)) return is('it begins with <TRACE>');
  const [, name, attributes, end] = /^<([^\s/>]*)([^>]*)(>?)/.exec(rest) ?? ['', '', '', ''];
  const because = `its first element is <${name.slice(0, 40)}>, which TPTP traces do not have`;
  if (attributes === '' && end === '')
    return 'TRACE'.startsWith(name) || MESSAGES.some((each) => each.name.startsWith(name))
      ? isPossible(0.5, because)
      : isNot(0.1, because);
  const message = messageOfName(name);
  if (message === undefined) return isNot(0.1, because);
  const has = message.fields.find((attribute) => new RegExp(`\\s${attribute.name}\\s*=`).test(attributes));
  if (has !== undefined) return is(`it begins with <${name} ${has.name}=…>`);
  return end === ''
    ? isPossible(0.6, because)
    : isNot(0.5, `its first element <${name}> has none of the attributes of this event`);
}
