/**
 * What XML 1.0 cannot hold, not even as a reference (XML 1.0, section 2.2, Char): most control characters, lone
 * surrogates, U+FFFE and U+FFFF. A single one makes the file unreadable.
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** The text with U+FFFD for every character that XML cannot hold. */
export function xmlSafe(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/** Content of an element or of a quoted attribute. Truncate before, never after: half an entity is no XML. */
export function xmlText(text: string): string {
  return xmlSafe(text).replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
