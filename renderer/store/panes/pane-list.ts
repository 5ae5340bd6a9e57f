import type { PaneSpec } from '../../profile-worker/pane-specs.ts';

/** One place of the window; a small window shows one at a time. */
export type Place = 'summary' | 'flame' | 'flat' | 'tree' | 'sandwich';

interface PlaceOfPanes {
  readonly id: Place;
  /** On the control that shows it alone. */
  readonly text: string;
  /** In a sentence. */
  readonly name: string;
  readonly command: PaneCommand;
  /** It is shown with the others. */
  readonly isOfAll: boolean;
}

/** The command that shows a pane or a place, and goes there. */
export interface PaneCommand {
  readonly id: string;
  readonly title: string;
  readonly key?: string;
  /** Where it is on screen, the first choice of its place is shown instead. */
  readonly toggles?: true;
}

export const PLACES: readonly PlaceOfPanes[] = [
  {
    id: 'summary',
    text: 'Summary',
    name: 'The summary',
    isOfAll: false,
    command: { id: 'summary', title: 'Show or hide the summary', key: '9' },
  },
  {
    id: 'flame',
    text: 'Flame',
    name: 'The flame graph',
    isOfAll: true,
    command: { id: 'showFlame', title: 'Show the flame graph', key: '3' },
  },
  {
    id: 'flat',
    text: 'Methods',
    name: 'The methods',
    isOfAll: true,
    command: { id: 'showFlat', title: 'Show the methods', key: '2' },
  },
  {
    id: 'tree',
    text: 'Tree',
    name: 'The call tree',
    isOfAll: true,
    command: { id: 'showTree', title: 'Show the call tree', key: '1' },
  },
  {
    id: 'sandwich',
    text: 'Callers',
    name: 'The callers and callees',
    isOfAll: false,
    command: { id: 'showSandwich', title: 'Show callers and callees as flame graphs', key: '5' },
  },
];

/** A pane of a log. Its kind says how it is asked for (`mirror-requests.ts`) and drawn (`panes/pane-kinds.tsx`). */
export interface PaneOfLog {
  readonly id: string;
  readonly kind: PaneSpec['kind'];
  readonly of: PaneSpec['of'];
  readonly place: Place;
  /** The choice of its place that shows it. One choice may show two panes, the first of which describes it. */
  readonly choice?: string;
  /** Its accessible name. */
  readonly title: string;
  /** The choice on the control of its place. */
  readonly tab?: { readonly text: string; readonly hint: string };
  readonly command?: PaneCommand;
  /** It shows nothing until a method is chosen. */
  readonly isOfMethod?: true;
  /** The property that a log needs for it; the first choice of its place is shown for any other log. */
  readonly needs?: 'times' | 'parts' | 'requests';
  /** It can be beside the methods, where these are shown alone. */
  readonly isBesideMethods?: true;
}

/** The panes. Choices, commands, stored orders and settings, requests and elements are made of this list. */
export const PANE_LIST = [
  {
    id: 'tree',
    kind: 'rows',
    of: 'calls',
    place: 'tree',
    choice: 'calls',
    title: 'Call tree',
    tab: { text: 'Call tree', hint: 'From threads to where samples end' },
  },
  {
    id: 'flat',
    kind: 'rows',
    of: 'methods',
    place: 'flat',
    choice: 'methods',
    title: 'Methods',
  },
  {
    id: 'bottomUp',
    kind: 'rows',
    of: 'bottom-up',
    place: 'tree',
    choice: 'bottom-up',
    title: 'Bottom-up tree',
    tab: { text: 'Bottom-up', hint: 'From where samples end to their callers' },
    command: { id: 'showBottomUp', title: 'Show the bottom-up tree' },
  },
  {
    id: 'callers',
    kind: 'rows',
    of: 'callers',
    place: 'tree',
    choice: 'detail',
    title: 'Callers',
    tab: { text: 'Callers, callees', hint: 'Of the selected method' },
    command: { id: 'showDetail', title: 'Show callers and callees as trees' },
    isOfMethod: true,
    isBesideMethods: true,
  },
  {
    id: 'callees',
    kind: 'rows',
    of: 'callees',
    place: 'tree',
    choice: 'detail',
    title: 'Callees',
    isOfMethod: true,
  },
  {
    id: 'flame',
    kind: 'flame',
    of: 'calls',
    place: 'flame',
    choice: 'calls',
    title: 'Flame graph',
    tab: { text: 'Top-down', hint: 'From threads to where samples end' },
  },
  {
    id: 'bottomUpFlame',
    kind: 'flame',
    of: 'bottom-up',
    place: 'flame',
    choice: 'bottom-up',
    title: 'Bottom-up flame graph',
    tab: { text: 'Bottom-up', hint: 'From where samples end to their callers' },
    command: { id: 'flipDirection', title: 'Show the flame graph bottom-up, or top-down', toggles: true },
  },
  {
    id: 'callersFlame',
    kind: 'flame',
    of: 'callers',
    place: 'sandwich',
    choice: 'callers',
    title: 'Flame graph of the callers',
    isOfMethod: true,
  },
  {
    id: 'calleesFlame',
    kind: 'flame',
    of: 'callees',
    place: 'sandwich',
    choice: 'callers',
    title: 'Flame graph of the callees',
    isOfMethod: true,
  },
  {
    id: 'source',
    kind: 'lines',
    of: 'methods',
    place: 'tree',
    choice: 'source',
    title: 'Source',
    isBesideMethods: true,
    tab: { text: 'Source', hint: 'Of the selected method, with its samples by line (6)' },
    command: { id: 'showSource', title: 'Show the source of the selected method', key: '6' },
  },
  {
    id: 'spread',
    kind: 'spread',
    of: 'methods',
    place: 'tree',
    choice: 'spread',
    title: 'Spread',
    isBesideMethods: true,
    needs: 'parts',
    tab: {
      text: 'Spread',
      hint: 'Which threads, hosts, files, requests or times differ, and in which methods',
    },
    command: { id: 'showSpread', title: 'Show which threads, hosts, files, requests or times differ' },
  },
  {
    id: 'operations',
    kind: 'operations',
    of: 'calls',
    place: 'tree',
    choice: 'operations',
    title: 'Operations',
    isBesideMethods: true,
    needs: 'requests',
    tab: { text: 'Operations', hint: 'How long requests took, and where their samples are' },
    command: { id: 'showOperations', title: 'Show the operations: how long requests took' },
  },
  {
    id: 'chart',
    kind: 'chart',
    of: 'calls',
    place: 'flame',
    choice: 'chart',
    title: 'Chart',
    needs: 'times',
    tab: { text: 'Chart', hint: 'Stacks in the order in which they were sampled (8)' },
    command: { id: 'chart', title: 'Show the chart, or the flame graph', key: '8', toggles: true },
  },
  { id: 'summary', kind: 'answer', of: 'methods', place: 'summary', choice: 'summary', title: 'Summary' },
] as const satisfies readonly PaneOfLog[];
