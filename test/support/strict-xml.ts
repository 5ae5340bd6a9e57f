import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** True for well-formed XML. */
export function isXml(text: string): boolean {
  // Deprecated in favour of another package; this one is installed already and still correct.
  // oxlint-disable-next-line typescript/no-deprecated
  return XMLValidator.validate(text) === true;
}

/** The text of `<a>…</a>`, references resolved. */
export function textOfXml(xml: string): string {
  const parser = new XMLParser({
    trimValues: false,
    parseTagValue: false,
    // Deprecated in favour of a decoder of one's own; the references that an SVG has are in its table.
    // oxlint-disable-next-line typescript/no-deprecated
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: 1e9, maxExpandedLength: 1e9 },
  });
  return (parser.parse(xml) as { readonly a: string }).a;
}
