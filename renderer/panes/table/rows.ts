import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';

/** CSS pixels. */
export const ROW_HEIGHT = 22;
/** Free behind a name, CSS pixels; as in table.css. */
export const NAME_MARGIN = 8;

/** Until the mirror has summed up: no share has a whole to refer to. */
export const NO_SUMMARY: ProfileSummary = {
  samples: 0,
  totalTime: 0,
  threads: 0,
  methods: 0,
  nodes: 0,
  timed: false,
};
