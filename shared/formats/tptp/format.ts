import { DecoderCode } from '../decoder-code.ts';
import { is, isNot, isPossible, type ProfileFormat, type Recognition } from '../profile-format.ts';
import { HEADER_BYTES, magicLength } from './binary-header.ts';
import { recogniseXml } from './recognise-xml.ts';

const binaryCode = new DecoderCode(() => import('./binary-decoder.ts'));
const xmlCode = new DecoderCode(() => import('./xml-decoder.ts'));

const NOT_RECORDED = [
  'lines and thread states',
  'callers that a filter of the agent excluded',
  'CPU time of calls, unless the agent measured it',
];

/** Eclipse TPTP's trace in its binary form (specs: tptp). */
export const TPTP_BINARY: ProfileFormat = {
  id: 'tptp',
  name: 'TPTP trace (binary)',
  extensions: ['.trcbin'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseBinary,
  code: binaryCode,
  createDecoder: (sink, chosen) => new binaryCode.module.BinaryTraceDecoder(sink, chosen),
};

/** The same events as XML elements. */
export const TPTP_XML: ProfileFormat = {
  id: 'tptp-xml',
  name: 'TPTP trace (XML)',
  extensions: ['.trcxml'],
  follows: true,
  notRecorded: NOT_RECORDED,
  recognise: recogniseXml,
  code: xmlCode,
  createDecoder: (sink, chosen) => new xmlCode.module.XmlTraceDecoder(sink, chosen),
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
