/** The part of d3-flame-graph 5.0 that is used here; the package has no types of its own. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection';

  /** A frame as the chart takes it. `value` includes the children's. */
  export interface FlameDatum {
    readonly name: string;
    readonly value: number;
    readonly children: readonly FlameDatum[];
  }

  /** A datum as the chart has laid it out: x in shares of the whole width, 0 to 1. */
  export interface FlameNode<Datum> {
    readonly data: Datum;
    readonly depth: number;
    readonly x0: number;
    readonly x1: number;
  }

  export interface FlameGraph<Datum> {
    /** Draws into a selection whose datum is the root. Once. */
    (selection: Selection<HTMLElement, Datum, null, undefined>): void;
    width(pixels: number): this;
    height(pixels: number): this;
    cellHeight(pixels: number): this;
    transitionDuration(ms: number): this;
    inverted(rootOnTop: boolean): this;
    /** Text of a frame's label. Also called for the `name` attribute. */
    getName(name: (node: FlameNode<Datum>) => string): this;
    /** Text of a frame's <title>. */
    label(label: (node: FlameNode<Datum>) => string): this;
  }

  export default function flamegraph<Datum extends FlameDatum>(): FlameGraph<Datum>;
}

/** The part of d3-timer 3.0 that is used here; the package has no types of its own. */
declare module 'd3-timer' {
  /** Runs the timers that are due, instead of in the next frame of the page. */
  export function timerFlush(): void;
}
