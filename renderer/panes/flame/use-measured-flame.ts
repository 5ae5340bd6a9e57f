import { useEffect } from 'react';
import { measureFlame } from '../../store/actions.ts';
import { devicePixels, type PaneSize } from '../../../shared/draw/pixel-layout.ts';

/** Asks for a layout of as many device pixels as the pane is wide, as soon as its width is known. */
export function useMeasuredFlame({ width, pixelRatio }: PaneSize): void {
  useEffect(() => {
    const wanted = devicePixels({ width, pixelRatio });
    if (wanted > 0) measureFlame(wanted);
  }, [width, pixelRatio]);
}
