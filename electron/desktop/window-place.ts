/** Saves and restores the bounds of the window. Displays may change between two starts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Device-independent pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

export const SMALLEST = { width: 640, height: 400 } as const;
const FIRST = { width: 1280, height: 800 } as const;
/** The part of the title bar that must be on a display, so that the user can drag the window. */
const HANDLE = 48;

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  return ['x', 'y', 'width', 'height'].every((key) => Number.isSafeInteger(record[key]));
}

/** Undefined for anything that `writePlace` did not write. */
export function readPlace(file: string): WindowPlace | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<
      Record<keyof WindowPlace, unknown>
    > | null;
    if (value === null || !isRectangle(value.bounds)) return undefined;
    const { x, y, width, height } = value.bounds;
    return { bounds: { x, y, width, height }, isMaximized: value.isMaximized === true };
  } catch {
    return undefined;
  }
}

/** Errors are ignored: without saved bounds the window opens in the centre. */
export function writePlace(file: string, place: WindowPlace): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(place));
  } catch {
    // A read-only or full disk must not prevent reading a profile.
  }
}

const overlap = (start: number, length: number, otherStart: number, otherLength: number) =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);

/**
 * The bounds to open with: the saved ones, shrunk to fit, if their title bar is within the work area of a display; else
 * the default size without a position, so that the system places the window.
 */
export function boundsFor(
  place: WindowPlace | undefined,
  workAreas: readonly Rectangle[],
): Rectangle | { readonly width: number; readonly height: number } {
  if (place === undefined) return FIRST;
  const { x, y, width, height } = place.bounds;
  const area = workAreas.find(
    (area) =>
      overlap(x, width, area.x, area.width) >= HANDLE && y >= area.y && y + HANDLE <= area.y + area.height,
  );
  if (area === undefined) return FIRST;
  const fit = (length: number, smallest: number, most: number) =>
    Math.max(Math.min(length, most), Math.min(smallest, most));
  return {
    x,
    y,
    width: fit(width, SMALLEST.width, area.width),
    height: fit(height, SMALLEST.height, area.height),
  };
}
