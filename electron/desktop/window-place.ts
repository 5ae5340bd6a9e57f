/** Saves and restores where the window is. Displays may change between two starts. */
import { z } from 'zod';
import { StoredFile, type WriteSettings } from '../host/stored-file.ts';

const pixels = z.int();
const rectangle = z.object({ x: pixels, y: pixels, width: pixels, height: pixels });
const flag = z.boolean().catch(false);
const windowPlace = z.object({ bounds: rectangle, isMaximized: flag, isFullScreen: flag });

/** Device-independent pixels. */
export type Rectangle = Readonly<z.infer<typeof rectangle>>;
export type WindowPlace = Readonly<z.infer<typeof windowPlace>>;

export const SMALLEST = { width: 640, height: 400 } as const;
const DEFAULT_SIZE = { width: 1280, height: 800 } as const;
/** Width and height of the part of the title bar that must be on a display, so that the user can drag the window. */
const VISIBLE_TITLE_BAR = 48;

export const placeFile = (file: string, write?: WriteSettings) => new StoredFile(file, windowPlace, write);

const overlap = (start: number, length: number, otherStart: number, otherLength: number) =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);

/**
 * The bounds to open with: the saved ones, reduced to the size of the display, if enough of their title bar is within
 * the work area of a display; else the default size without a position, so that Electron centres the window.
 */
export function boundsFor(
  place: WindowPlace | undefined,
  workAreas: readonly Rectangle[],
): Rectangle | { readonly width: number; readonly height: number } {
  if (place === undefined) return DEFAULT_SIZE;
  const { x, y, width, height } = place.bounds;
  const area = workAreas.find(
    (each) =>
      overlap(x, width, each.x, each.width) >= VISIBLE_TITLE_BAR &&
      y >= each.y &&
      y + VISIBLE_TITLE_BAR <= each.y + each.height,
  );
  if (area === undefined) return DEFAULT_SIZE;
  const fit = (length: number, smallest: number, most: number) =>
    Math.max(Math.min(length, most), Math.min(smallest, most));
  return {
    x,
    y,
    width: fit(width, SMALLEST.width, area.width),
    height: fit(height, SMALLEST.height, area.height),
  };
}
