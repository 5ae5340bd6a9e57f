import { expect, test } from 'vitest';
import { DIFFERENCE_LEVELS, differenceStyle } from '../../../shared/text/difference-colour.ts';
import { contrast } from '../../support/contrast.ts';

type Triple = readonly [number, number, number];

/** What colours become without one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1, linear RGB. */
const SEEN_AS: Readonly<Record<'all cones' | 'protan' | 'deutan', readonly Triple[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

function linear(colour: string): Triple {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

const times = (rows: readonly Triple[], [a, b, c]: Triple): Triple => {
  const [x, y, z] = rows.map((row) => row[0] * a + row[1] * b + row[2] * c);
  return [x, y, z];
};

/** Ottosson's OKLab, in which equal distances look alike: some 0.02 can just be told apart side by side. */
function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  const [l, m, s] = cones.map((value) => Math.cbrt(Math.max(0, value)));
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [l, m, s],
  );
}

function distance(one: string, other: string, seen: readonly Triple[]): number {
  const [a, b] = [one, other].map((colour) => oklab(times(seen, linear(colour))));
  return Math.hypot(...a.map((value, at) => value - b[at]));
}

test.each(['light', 'dark'] as const)(
  'what grew and what shrank can be told apart, and from grey, by eyes without red or green cones: %s',
  (theme) => {
    const fill = (level: number): string => differenceStyle(theme, level, undefined).fill;
    const marks = [1, -1].map((level) => differenceStyle(theme, level, undefined).mark);
    for (const [eyes, seen] of Object.entries(SEEN_AS)) {
      const distances: number[] = [];
      for (let level = 1; level <= DIFFERENCE_LEVELS; level++) {
        const where = `${eyes}, level ${level}`;
        const apart = distance(fill(level), fill(-level), seen);
        distances.push(apart);
        expect(apart, where).toBeGreaterThan(0.05);
        for (const side of [level, -level])
          expect(distance(fill(side), fill(0), seen), `${where}, grey`).toBeGreaterThan(0.02);
      }
      // Stronger levels are further apart.
      expect(distances, eyes).toEqual(distances.toSorted((a, b) => a - b));
      expect(distance(marks[0], marks[1], seen), `${eyes}, marks`).toBeGreaterThan(0.15);
    }
  },
);

test.each(['light', 'dark'] as const)(
  'labels can be read on every difference, hatched or not: %s',
  (theme) => {
    for (let level = -DIFFERENCE_LEVELS; level <= DIFFERENCE_LEVELS; level++)
      for (const only of [undefined, 'base', 'new'] as const) {
        const { fill, hatch, text } = differenceStyle(theme, level, only);
        for (const under of [fill, hatch])
          expect(contrast(under, text), `${level} ${only}`).toBeGreaterThanOrEqual(4.5);
      }
  },
);
