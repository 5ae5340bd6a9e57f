/** `npm start -- some.hpl`: see `open-files.mjs`. */
import './node-version.mjs';

import('./open-files.mjs');
