import type { ProfileSummary } from '../../profile-worker/mirror-messages.ts';

/** CSS pixels, as in table.css. A line of text is 20 high. */
export const ROW_HEIGHT = 24;
/** Space after a name. */
export const NAME_MARGIN = 8;
/** Before the name of a list, before the twisty of a tree, and of the twisty; as in rows.css. */
export const LIST_PADDING = 12;
export const TREE_PADDING = 6;
export const TWISTY = 16;
/** From the mark in the colour of a frame to its name. */
export const MARK_SPACE = 14;

/** Summary until the mirror has sent one: shares have no total yet. */
export const NO_SUMMARY: ProfileSummary = {
  samples: 0,
  totalTime: 0,
  hidden: { samples: 0, time: 0 },
  outside: { samples: 0, time: 0 },
  errors: 0,
  errorKinds: {},
  threadsInScope: undefined,
  seconds: undefined,
  beyondZoom: { samples: 0, time: 0 },
  threads: 0,
  methods: 0,
  nodes: 0,
  timed: false,
  contextKeys: [],
  areCalls: false,
};

/**
 * True when two rows have the same content. The mirror's rows are new objects in every message, so identity cannot be
 * compared, and most rows of a message are unchanged.
 */
function isSameRow<Row extends object>(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((key) => a[key] === b[key]);
}

/** Whether a component that draws one row has equal properties. */
export function hasSameRow<Props extends { readonly row: object }>(before: Props, after: Props): boolean {
  return (Object.keys(after) as (keyof Props)[]).every((key) =>
    key === 'row' ? isSameRow(before.row, after.row) : before[key] === after[key],
  );
}
