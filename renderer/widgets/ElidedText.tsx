import type { ReactNode } from 'react';
import './controls.css';

/**
 * A text in one line that is shortened before its last characters: long file names often differ only at their ends.
 * `a-very-long-…26-11-22.hpl`
 */
export function ElidedText({
  text,
  className = '',
  keepsWord = false,
  keeps: differing,
}: {
  readonly text: string;
  /** The part that stays does not begin within a word; see `elidedParts`. */
  readonly keepsWord?: boolean;
  /** From and to: the characters of a long text that stay, instead of the last ones. */
  readonly keeps?: readonly [number, number] | undefined;
  readonly className?: string;
}): ReactNode {
  const keeps = text.length > NEVER_CUT ? differing : undefined;
  const [head, tail] =
    keeps === undefined ? elidedParts(text, keepsWord) : [text.slice(0, keeps[0]), text.slice(...keeps)];
  return (
    <span className={`elided ${className}`}>
      <span className="elided-head">{head}</span>
      <span className="elided-tail">{tail}</span>
      {keeps !== undefined && <span className="elided-head">{text.slice(keeps[1])}</span>}
    </span>
  );
}

/** Characters at the end that stay, and the length up to which a text is never cut. */
const TAIL = 10;
const NEVER_CUT = 16;

/**
 * The end of a text, which stays, and what is before it. `keepsWord`: the end begins with a word where that makes it no
 * longer than `NEVER_CUT`: `before 0:40.283` instead of `e 0:40.283`.
 */
export function elidedParts(text: string, keepsWord = false): readonly [head: string, tail: string] {
  // By code points: half of a surrogate pair is no character.
  const characters = Array.from(text);
  if (characters.length <= NEVER_CUT) return [text, ''];
  let at = characters.length - TAIL;
  if (keepsWord) {
    const word = characters.lastIndexOf(' ', at - 1) + 1;
    if (characters.length - word <= NEVER_CUT) at = word;
  }
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
}
