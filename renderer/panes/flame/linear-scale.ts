/** The domain 0 … 1, which is all that d3-flame-graph uses, on a range. */
interface LinearScale {
  (value: number): number;
  range(ends: readonly [number, number]): LinearScale;
}

/**
 * Replaces d3-scale (see vite.config.ts), from which d3-flame-graph uses one multiplication. With its ticks and formats
 * it would be a third of the code that the painter loads.
 */
export function scaleLinear(): LinearScale {
  let ends: readonly [number, number] = [0, 1];
  const scale = ((value: number) => ends[0] + value * (ends[1] - ends[0])) as LinearScale;
  scale.range = (given) => {
    ends = given;
    return scale;
  };
  return scale;
}
