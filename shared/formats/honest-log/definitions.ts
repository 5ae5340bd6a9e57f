import type { MethodNames } from '../../profile/method-table.ts';
import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';
import { MAX_STRING_BYTES, STRINGS_OFFSET } from './records.ts';

/**
 * Where `count` strings that begin at `at` end; 'cut' when the view ends before, and where the length stands that is
 * none.
 */
export function stringsEnd(
  view: DataView,
  at: number,
  count: number,
): number | 'cut' | { readonly impossibleAt: number } {
  let next = at;
  for (let index = 0; index < count; index++) {
    if (view.byteLength - next < 4) return 'cut';
    const length = view.getInt32(next);
    if (length < 0 || length > MAX_STRING_BYTES) return { impossibleAt: next };
    next += 4 + length;
  }
  return next <= view.byteLength ? next : 'cut';
}

/** The name in the thread record at `at`. */
export function threadNameAt(input: Uint8Array, view: DataView, at: number): string {
  return stringAt(input, view, at + STRINGS_OFFSET).text;
}

/** The names in the method record at `at`, of the type with a signature or the older one. */
export function methodNamesAt(input: Uint8Array, view: DataView, at: number, isSigned: boolean): MethodNames {
  const file = stringAt(input, view, at + STRINGS_OFFSET);
  const signature = stringAt(input, view, file.next);
  const methodName = stringAt(input, view, isSigned ? stringEnd(view, signature.next) : signature.next);
  return { file: file.text, className: classNameOf(signature.text), methodName: methodName.text };
}

function stringEnd(view: DataView, at: number): number {
  return at + 4 + view.getInt32(at);
}

function stringAt(
  input: Uint8Array,
  view: DataView,
  at: number,
): { readonly text: string; readonly next: number } {
  const next = stringEnd(view, at);
  return { text: decodeModifiedUtf8(input, at + 4, next), next };
}

/** `Ljava/lang/String;` -> `java.lang.String` (specs: Honest Profiler Method.formatClassName). */
function classNameOf(signature: string): string {
  return signature.slice(1, -1).replaceAll('/', '.');
}
