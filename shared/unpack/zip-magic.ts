/** True when the input is a zip archive: it begins with an entry, or with the end of an empty directory. */
export function looksLikeZip(head: Uint8Array): boolean {
  if (head.length < 4 || head[0] !== 0x50 || head[1] !== 0x4b) return false;
  return (head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6);
}
