/** The parts of a profile that go into a page or an SVG. */
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

/** A drawing carries a profile of at most so many bytes, unless more was asked for. */
export const MOST_EMBEDDED = 2_000_000;

export const WHOLE_SCOPE: PageOptions = {
  include: 'scope',
  threads: true,
  times: true,
  anonymous: [],
  note: '',
};
