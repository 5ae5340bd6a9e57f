import type { MethodLines } from '../../shared/engine/query.ts';
import {
  MOST_METHOD_CHARACTERS,
  MOST_SOURCE_LINES,
  MOST_VERSION_CHARACTERS,
} from '../../shared/protocol/source-messages.ts';
import type { ClassSource } from '../../shared/protocol/client-messages.ts';
import { activeLog } from './state/selectors.ts';
import { panesOnScreen } from './state/shown-panes.ts';
import type { WindowState } from './state/window-state.ts';
import { useWindow, send } from './state/window-store.ts';

/** Characters of a class and its file as JSON. A damaged log may have longer names; no file has one. */
const MOST_NAME_CHARACTERS = 2000;
/** Characters of all of it as JSON, where a control character is six: a host disconnects who sends a longer message. */
const MOST_CHARACTERS = 3500;

/** The class whose source is to be on screen; undefined: none, or nobody can be asked. */
function wantedSource(state: WindowState): ClassSource | undefined {
  if (state.sources === undefined || !panesOnScreen(state).includes('source')) return undefined;
  const log = activeLog(state);
  const lines = log?.panes.source.shown?.lines;
  const wanted = lines && classSource(lines, log.status?.javaVersion);
  return wanted && canAskFor(wanted) ? wanted : undefined;
}

/**
 * The class of a method, in the file in which it has most samples, and its lines with most samples. Without method and
 * lines where they are too long: the file is found without them.
 */
export function classSource(
  { className, methodName, files }: MethodLines,
  javaVersion?: string,
): ClassSource {
  const [{ file, lines }] = files;
  const hottest = lines.toSorted((a, b) => b.totalCount - a.totalCount).slice(0, MOST_SOURCE_LINES);
  const ranBy = javaVersion === undefined ? {} : { javaVersion };
  const exact = { className, file, method: methodName, lines: hottest.map(({ line }) => line), ...ranBy };
  return canAskFor(exact) ? exact : { className, file };
}

/** Whether a host accepts a message about this class. */
export function canAskFor(source: ClassSource): boolean {
  const { className, file, method = '', lines = [], javaVersion = '' } = source;
  return (
    className !== '' &&
    file.length <= 255 &&
    method.length <= MOST_METHOD_CHARACTERS &&
    lines.length <= MOST_SOURCE_LINES &&
    javaVersion.length <= MOST_VERSION_CHARACTERS &&
    JSON.stringify([className, file]).length <= MOST_NAME_CHARACTERS &&
    JSON.stringify(source).length <= MOST_CHARACTERS
  );
}

export function isSameSource(a: ClassSource | undefined, b: ClassSource | undefined): boolean {
  return a?.className === b?.className && a?.file === b?.file && a?.javaVersion === b?.javaVersion;
}

const { getState, setState } = useWindow;

/** Whether the source that is to be on screen is not answered yet. */
export function awaitsSource(state: WindowState): boolean {
  const { connection, sourceSearch } = state;
  const isAsked = sourceSearch !== undefined && sourceSearch.answer === undefined;
  return isAsked && connection.state === 'open' && wantedSource(state) !== undefined;
}

/** Asks the host for the source that is to be on screen, each time that it is another one, or may be found elsewhere. */
export function askForSource(): void {
  const state = getState();
  const { sources, sourceSearch: last } = state;
  const wanted = wantedSource(state);
  if (wanted === undefined || (isSameSource(wanted, last?.wanted) && last?.sources === sources)) return;
  const request = (last?.request ?? 0) + 1;
  setState({ sourceSearch: { request, wanted, sources, answer: undefined } });
  send({ type: 'findSource', request, ...wanted });
}

/** Opens the file that was found last in the host's editor. */
export function editSource(line: number): void {
  const { sourceSearch } = getState();
  if (sourceSearch !== undefined) send({ type: 'editSource', line, ...sourceSearch.wanted });
}
