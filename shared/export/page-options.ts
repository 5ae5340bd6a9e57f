/** What of a profile goes into a page or an SVG. */
export interface PageOptions {
  /** `all`: also what is outside of the scope. */
  readonly include: 'scope' | 'all';
  readonly threads: boolean;
  readonly times: boolean;
  /** Prefixes of classes whose names are replaced. */
  readonly anonymous: readonly string[];
  /** A text of the maker; empty: none. */
  readonly note: string;
}

export const WHOLE_SCOPE: PageOptions = {
  include: 'scope',
  threads: true,
  times: true,
  anonymous: [],
  note: '',
};
