import { selection } from 'd3-selection';

/**
 * Stands in for d3-transition (see vite.config.ts). d3-flame-graph asks for transitions even when their duration is
 * zero: every frame would get a timer, new ones would grow to their width within 250 ms, and labels come a frame later.
 * Here a transition is the selection itself, so the picture is complete when an update returns. Nothing else in the
 * window uses d3.
 */
function itself(this: object): object {
  return this;
}

Object.assign(selection.prototype, { transition: itself, duration: itself, delay: itself, ease: itself });
