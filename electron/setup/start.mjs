/** `npm start -- some.hpl`: see `run.mjs`. */
import './node-version.mjs';

import('./run.mjs').then(({ run }) => run({ opensWindow: true }));
