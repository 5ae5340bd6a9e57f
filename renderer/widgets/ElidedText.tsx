import type { ReactNode } from 'react';
import { elidedParts } from './elided-parts.ts';
import './elided-text.css';

/**
 * A text in one line that is shortened before its last characters: long file names often differ only at their ends.
 * `a-very-long-…26-11-22.hpl`
 */
export function ElidedText({
  text,
  className = '',
  keepsWord = false,
}: {
  readonly text: string;
  /** What stays of it does not begin within a word: see `elidedParts`. */
  readonly keepsWord?: boolean;
  readonly className?: string;
}): ReactNode {
  const [head, tail] = elidedParts(text, keepsWord);
  return (
    <span className={`elided ${className}`}>
      <span className="elided-head">{head}</span>
      <span className="elided-tail">{tail}</span>
    </span>
  );
}
