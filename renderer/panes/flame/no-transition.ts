import { selection } from 'd3-selection';

/**
 * Replaces d3-transition (see vite.config.ts). d3-flame-graph requests transitions even when their duration is zero:
 * every frame would get a timer, new frames would grow to their width within 250 ms, and labels would appear a frame
 * later. Here a transition is the selection itself, so the drawing is complete when an update returns. Nothing else in
 * the window uses d3.
 */
function itself(this: object): object {
  return this;
}

Object.assign(selection.prototype, { transition: itself, duration: itself, delay: itself, ease: itself });
