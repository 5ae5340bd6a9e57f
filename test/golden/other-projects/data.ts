/** Files that other projects published and what reference programs computed; not part of this project. */
export const DATA = '../shared/data';
