/** The domain 0 … 1, which is all that d3-flame-graph uses, on a range. */
interface LinearScale {
  (value: number): number;
  range(ends: readonly [number, number]): LinearScale;
}

/**
 * Stands in for d3-scale (see vite.config.ts), of which d3-flame-graph uses one multiplication: the whole, with its
 * ticks and formats, is a third of what the flame graph's painter loads.
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
