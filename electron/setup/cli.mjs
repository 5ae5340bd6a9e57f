/** `npm run -s cli -- export FILE …`: see `command.mjs`. */
import './node-version.mjs';

import('./command.mjs');
