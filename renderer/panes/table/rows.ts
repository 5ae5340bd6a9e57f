import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';

/** CSS pixels, as in table.css. A line of text is 20 high. */
export const ROW_HEIGHT = 24;
/** Space after a name. */
export const NAME_MARGIN = 8;
/** From the mark in the colour of a frame to its name. */
export const MARK_SPACE = 14;

/** Summary until the mirror has sent one: shares have no total yet. */
export const NO_SUMMARY: ProfileSummary = {
  samples: 0,
  totalTime: 0,
  hidden: { samples: 0, time: 0 },
  outside: { samples: 0, time: 0 },
  errors: 0,
  threadsInScope: undefined,
  seconds: undefined,
  beyondZoom: { samples: 0, time: 0 },
  threads: 0,
  methods: 0,
  nodes: 0,
  timed: false,
};
