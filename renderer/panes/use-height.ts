import { type RefObject, useLayoutEffect, useState } from 'react';

/** Inner height of an element, CSS pixels; 0 until it is laid out. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    const observer = new ResizeObserver(() => setHeight(watched.clientHeight));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return height;
}
