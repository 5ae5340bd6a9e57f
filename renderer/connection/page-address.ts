/**
 * The time that a change of the address waits. A browser does much for one, with its bar, history and icon: at 7.7
 * million call nodes an undo took 10 ms longer to be on screen.
 */
const PAUSE_MS = 200;

/** The part of the page's address that belongs to the page. */
export interface PageAddress {
  /** The fragment, with its `#`; '' if there is none. */
  read(): string;
  /** Whether the page wrote it, also before a reload, and said that it is its own. A link that somebody opens is not. */
  isOwn(): boolean;
  /** Replaces it soon, without an entry in the browser's history. What somebody else writes before that is kept. */
  write(fragment: string, isOwn: boolean): void;
  /** Replaces it now if a change is due. */
  flush(): void;
  /** Calls the listener when somebody else has changed it. */
  onChange(listener: () => void): void;
}

export type AddressWindow = Pick<Window, 'location' | 'history' | 'addEventListener'>;

/** `view`: the fragment that an address without one has at first. */
export function pageAddress(window: AddressWindow, view = ''): PageAddress {
  const { location, history } = window;
  let due: { readonly instead: string; readonly fragment: string; readonly isOwn: boolean } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const change = due;
    due = undefined;
    if (change === undefined || location.hash !== change.instead) return;
    try {
      const address = `${location.pathname}${location.search}${change.fragment}`;
      // The state of an entry outlives a reload, and another address is another entry.
      history.replaceState({ isOwn: change.isOwn }, '', address);
    } catch {
      // Browsers refuse many changes in a short time, and very long addresses: then the address is out of date.
    }
  }

  // Otherwise the page would come back without the last change.
  window.addEventListener('pagehide', flush);
  return {
    read: () => (location.hash === '' ? view : location.hash),
    isOwn: () => (history.state as { readonly isOwn?: boolean } | null)?.isOwn === true,
    write(fragment, isOwn) {
      due = { instead: due?.instead ?? location.hash, fragment, isOwn };
      timer ??= setTimeout(flush, PAUSE_MS);
    },
    flush,
    onChange(listener) {
      window.addEventListener('hashchange', () => {
        // Otherwise what the listener writes would be taken for a change from before.
        due = undefined;
        listener();
      });
    },
  };
}
