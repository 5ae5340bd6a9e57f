import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { assert } from '../shared/assert.ts';
import { chooseHost } from './connection/connect.ts';
import { App } from './shell/App.tsx';
import { startWindow } from './store/start.ts';
import './theme/font.css';
import './theme/tokens.css';
import './theme/base.css';

const root = document.getElementById('root');
assert(root !== null, 'index.html has the element that everything is drawn in');
const host = chooseHost(window);
startWindow(host);
// Canvases measure their labels once. Without the font the window has the system's.
const face = "13px 'IBM Plex Sans Condensed'";
void Promise.allSettled([document.fonts.load(face), document.fonts.load(`600 ${face}`)]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App host={host} />
    </StrictMode>,
  ),
);
