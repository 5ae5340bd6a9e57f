import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { assert } from '../../shared/assert.ts';
import { pageHost } from '../connection/page-host.ts';
import { serveMirrors } from '../profile-worker/serve-mirrors.ts';
import { App } from '../shell/App.tsx';
import { startWindow } from '../store/start.ts';
import '../theme/tokens.css';
import '../theme/base.css';

declare global {
  interface Window {
    /** Set by the loader of the page: the unpacked profiles, and a worker that runs the code of this module. */
    leanscopePage?: { readonly data: Uint8Array; startWorker(): Worker };
  }
}

/**
 * Entry of a page to send, and of its worker: the code of both is one text, in which what they share is there once. The
 * page has no server that a second one could come from.
 */
if (typeof document === 'undefined') serveMirrors(undefined);
else {
  const root = document.getElementById('root');
  const page = window.leanscopePage;
  assert(root !== null && page !== undefined, 'the loader has prepared the page');
  const host = pageHost(window, page.data, () => page.startWorker());
  startWindow(host);
  createRoot(root).render(
    <StrictMode>
      <App host={host} />
    </StrictMode>,
  );
}
