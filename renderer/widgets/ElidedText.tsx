import { type ReactNode, useLayoutEffect, useRef } from 'react';
import './controls.css';

/**
 * A text in one line that is shortened before its last characters: long file names often differ only at their ends.
 * `a-very-long-…26-11-22.hpl`
 */
export function ElidedText({
  text,
  className = '',
  keeps: differing,
}: {
  readonly text: string;
  /** From and to: the characters of a long text that stay, instead of the last ones. */
  readonly keeps?: readonly [number, number] | undefined;
  readonly className?: string;
}): ReactNode {
  const keeps = text.length > NEVER_CUT ? differing : undefined;
  const [head, tail] =
    keeps === undefined ? elidedParts(text) : [text.slice(0, keeps[0]), text.slice(...keeps)];
  const start = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = start.current;
    if (element === null) return;
    const close = (): void =>
      element.parentElement?.style.setProperty('--gap', `${-gapAfterDots(element)}px`);
    const observer = new ResizeObserver(close);
    observer.observe(element);
    close();
    return () => observer.disconnect();
  }, [head]);
  return (
    <span className={`elided ${className}`}>
      <span ref={start} className="elided-head">
        {head}
      </span>
      <span className="elided-tail">{tail}</span>
      {keeps !== undefined && <span className="elided-head">{text.slice(keeps[1])}</span>}
    </span>
  );
}

/** In the widths of a browser's own layout. */
const ROUNDING = 0.1;

/** CSS pixels between the dots at the end of a text and the end of its element: only whole characters are shown. */
function gapAfterDots(element: HTMLElement): number {
  const { firstChild: text } = element;
  if (!(text instanceof Text)) return 0;
  const range = document.createRange();
  const widthOf = (characters: number): number => {
    range.setStart(text, 0);
    range.setEnd(text, characters);
    return range.getBoundingClientRect().width;
  };
  const { width } = element.getBoundingClientRect();
  if (widthOf(text.length) <= width + ROUNDING) return 0;
  const forText = width - dotsWidth(element);
  let [fits, beyond] = [0, text.length];
  while (beyond - fits > 1) {
    const middle = (fits + beyond) >> 1;
    if (widthOf(middle) <= forText + ROUNDING) fits = middle;
    else beyond = middle;
  }
  return Math.max(0, forText - widthOf(fits));
}

let context: CanvasRenderingContext2D | null | undefined;

function dotsWidth(element: HTMLElement): number {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return 0;
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return context.measureText('\u2026').width;
}

/** Characters at the end that stay, and the length up to which a text is never cut. */
const TAIL = 10;
const NEVER_CUT = 16;

/**
 * The end of a text, which stays, and what is before it. The end begins with a word where that makes it no longer than
 * `NEVER_CUT`: `before 0:40.283` instead of `e 0:40.283`.
 */
export function elidedParts(text: string): readonly [head: string, tail: string] {
  // By code points: half of a surrogate pair is no character.
  const characters = Array.from(text);
  if (characters.length <= NEVER_CUT) return [text, ''];
  const short = characters.length - TAIL;
  const word = characters.lastIndexOf(' ', short - 1) + 1;
  const at = characters.length - word <= NEVER_CUT ? word : short;
  return [characters.slice(0, at).join(''), characters.slice(at).join('')];
}
