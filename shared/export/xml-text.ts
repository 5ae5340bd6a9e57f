/**
 * Characters that XML 1.0 cannot contain, not even as a reference (XML 1.0, section 2.2, Char): most control characters,
 * lone surrogates, U+FFFE and U+FFFF. A single one makes the file unreadable.
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Replaces characters that XML cannot contain by U+FFFD. */
export function xmlSafe(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/** Escapes text for an element or a quoted attribute. Shorten text before, not after: half an entity is invalid. */
export function xmlText(text: string): string {
  return xmlSafe(text).replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
