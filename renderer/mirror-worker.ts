import { serveMirrors } from './profile-worker/serve-mirrors.ts';

/** Entry of the Web Worker of the window. */
serveMirrors(() => import('./profile-worker/read-local-file.ts'));
