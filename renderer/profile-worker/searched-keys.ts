import type { KeyTable } from '../../shared/trees/keys.ts';
import { isSearching, parseSearch, type Search } from '../../shared/views/search.ts';
import { SearchMatches } from '../../shared/views/search-matches.ts';

/** What matches the search, in each table of keys. */
export class SearchedKeys {
  #search: Search = parseSearch('');
  #matches = new WeakMap<KeyTable, SearchMatches>();

  set search(search: Search) {
    if (search.text === this.#search.text) return;
    this.#search = search;
    this.#matches = new WeakMap();
  }

  get isSearching(): boolean {
    return isSearching(this.#search);
  }

  /** undefined while nothing is searched. */
  matches(keys: KeyTable): SearchMatches | undefined {
    if (!isSearching(this.#search)) return undefined;
    let matches = this.#matches.get(keys);
    if (matches === undefined) {
      matches = new SearchMatches(keys, this.#search);
      this.#matches.set(keys, matches);
    }
    matches.update();
    return matches;
  }
}
