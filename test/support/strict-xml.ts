import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** True for well-formed XML. */
export function isXml(text: string): boolean {
  // Deprecated in favour of another package; this one is installed already and still correct.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return XMLValidator.validate(text) === true;
}

/** The text of `<a>…</a>`, references resolved. */
export function textOfXml(xml: string): string {
  const parser = new XMLParser({
    trimValues: false,
    parseTagValue: false,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: 1e9, maxExpandedLength: 1e9 },
  });
  return (parser.parse(xml) as { readonly a: string }).a;
}
