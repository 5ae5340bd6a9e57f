import { serveMirrors } from './profile-worker/serve-mirrors.ts';

/** Entry of the window's Web Worker, which holds a mirror of each log and answers the panes. */
serveMirrors(() => import('./profile-worker/read-local-file.ts'));
