import type { ReactNode } from 'react';
import './elided-text.css';

/** Characters at the end that stay, and the length up to which a text is never cut. */
const TAIL = 10;
const NEVER_CUT = 16;

/**
 * A text in one line that is shortened before its last characters: long file names often differ only at their ends.
 * `a-very-long-…26-11-22.hpl`
 */
export function ElidedText({
  text,
  className = '',
}: {
  readonly text: string;
  readonly className?: string;
}): ReactNode {
  // By code points: half of a surrogate pair is no character.
  const characters = Array.from(text);
  const at = characters.length <= NEVER_CUT ? characters.length : characters.length - TAIL;
  return (
    <span className={`elided ${className}`}>
      <span className="elided-head">{characters.slice(0, at).join('')}</span>
      <span className="elided-tail">{characters.slice(at).join('')}</span>
    </span>
  );
}
