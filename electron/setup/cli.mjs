/** `npm run -s cli -- export FILE …`: see `run.mjs`. */
import './node-version.mjs';

import('./run.mjs').then(({ run }) => run({ opensWindow: false }));
