import type { ReactNode } from 'react';

/** 16 × 16 line icons in the colour of the surrounding text. */
const PATHS = {
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  plus: 'M8 3.5v9M3.5 8h9',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  freeze: 'M6 3.5v9M10 3.5v9',
  stop: 'M4 4h8v8H4z',
  export: 'M8 2.5v7M5 7l3 3 3-3M3 11.5v2h10v-2',
  commands:
    'M6 6h4v4H6zM6 6V4.2A1.8 1.8 0 1 0 4.2 6H6zM10 6V4.2A1.8 1.8 0 1 1 11.8 6H10zM6 10v1.8A1.8 1.8 0 1 1 4.2 10H6zM10 10v1.8a1.8 1.8 0 1 0 1.8-1.8H10z',
  open: 'M2 12.5v-9h4l1.5 2H14v7zM2 7.5h12',
  clock: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  swap: 'M3 5.5h9.5L10 3M13 10.5H3.5L6 13',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.4M8 11.8v.1',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.2v4M8 4.8v.1',
  columns: 'M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9',
  sliders: 'M2.5 5h6M11.5 5h2M10 3.2v3.6M2.5 11h2M7.5 11h6M6 9.2v3.6',
  filter: 'M2.5 3.5h11L9.5 8.5v4.5l-3-1.5v-3z',
  view: 'M2.5 3h11v10h-11zM2.5 8h11M8 8v5',
  shown:
    'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  hidden:
    'M2.5 2.5l11 11M6.3 4.1C6.8 3.9 7.4 3.8 8 3.8c4 0 6.5 4.2 6.5 4.2s-.7 1.2-2 2.3M4 5.3C2.4 6.5 1.5 8 1.5 8S4 12.2 8 12.2c1 0 1.9-.3 2.7-.6',
  undo: 'M6.5 3.5L3 7l3.5 3.5M3.5 7H10a3 3 0 0 1 0 6H7',
  redo: 'M9.5 3.5L13 7l-3.5 3.5M12.5 7H6a3 3 0 0 0 0 6h3',
  plug: 'M5.5 1.8v3M10.5 1.8v3M3.5 4.8h9v2.4a4.5 4.5 0 0 1-9 0zM8 11.7v2.5',
  sample: 'M3 13.5V10M6.3 13.5V6M9.7 13.5V8M13 13.5V3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
