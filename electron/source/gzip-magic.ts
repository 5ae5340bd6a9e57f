/** True when the input is compressed, whatever its name. Two bytes are enough: no log starts with a type-31 record
 * whose id is that of no pointer. */
export function looksLikeGzip(head: Uint8Array): boolean {
  return head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
}
