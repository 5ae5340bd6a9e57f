import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { assert } from '../shared/assert.ts';
import { chooseHost } from './connection/connect.ts';
import { App } from './shell/App.tsx';
import { startWindow } from './store/start.ts';
import './theme/tokens.css';
import './theme/base.css';

const root = document.getElementById('root');
assert(root !== null, 'index.html has the element that everything is drawn in');
const host = chooseHost(window);
startWindow(host);
createRoot(root).render(
  <StrictMode>
    <App host={host} />
  </StrictMode>,
);
