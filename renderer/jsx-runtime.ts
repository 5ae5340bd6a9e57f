import * as runtime from 'react/jsx-runtime';

/**
 * The functions that JSX compiles to (see vite.config.ts). React's own module is CommonJS: each of some 370 calls would
 * be `(0,module.jsx)(…)` in the bundle, 3 kB in all. These are constants of an ES module, called by their name.
 */
export const { Fragment, jsx, jsxs } = runtime;
