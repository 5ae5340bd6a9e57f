import { compareFormat, type CompareFormatId } from '../../shared/export/compare-list.ts';
import { exportFileName, exportFormat, type ExportFormatId } from '../../shared/export/export-formats.ts';
import type { PageForm } from '../../shared/export/export-view.ts';
import { MOST_EMBEDDED, type PageOptions, WHOLE_SCOPE } from '../../shared/export/page-options.ts';
import type { LogFacts } from '../../shared/facts/log-facts.ts';
import { EMPTY_SCOPE } from '../../shared/scope/scope.ts';
import { openDialog, showNotice } from './actions/actions.ts';
import { comparedNames } from './state/compared-names.ts';
import { linkedScope } from './links/linked-scopes.ts';
import { readLogs } from './state/merged-logs.ts';
import { fragmentOf } from './links/scope-address.ts';
import { activeLog, isDark, shownColourBy, shownSort, shownThreads, unitsOf } from './state/selectors.ts';
import { zoomInForce, NO_ZOOM } from './state/scope-history.ts';
import type { LinkedScope, LogView, WindowState, LogKey } from './state/window-state.ts';
import { services, useWindow } from './state/window-store.ts';
import type { ExportSource, MirrorEvent, MirrorRequest } from '../profile-worker/mirror-messages.ts';
import type { MirrorPort } from './mirrors/mirrors.ts';

/**
 * Exports the active log as it is on screen. The file is downloaded when the worker has written it. A page is asked for in
 * its dialog.
 */
export function exportView(format: ExportFormatId): void {
  const { carries } = exportFormat(format);
  // A page has no code that packs profiles: it is sent as it is.
  if (useWindow.getState().capabilities.isPage === true) exportActive(format);
  else if (carries === 'page') openDialog({ kind: 'page', isCompared: false });
  else
    exportActive(
      format,
      undefined,
      carries && { options: WHOLE_SCOPE, template: undefined, most: MOST_EMBEDDED },
    );
}

/** Exports what the active log is compared with, as the command line's `compare`. */
export function exportComparison(format: CompareFormatId): void {
  if (compareFormat(format).carries === 'page') openDialog({ kind: 'page', isCompared: true });
  else exportActive('svg', format);
}

/** Exports the active log, or its comparison, as a page to send. */
export async function exportPage(options: PageOptions, isCompared: boolean): Promise<void> {
  const template = await loadTemplate();
  if (template === undefined) showNotice('problem', 'The page cannot be written: Leanscope does not answer.');
  else exportActive('html', isCompared ? 'html' : undefined, { options, template, most: Infinity });
}

let loading: Promise<string | undefined> | undefined;

/** Loads the built page without a profile, once: the host, which serves it, may end before it is needed. */
export async function loadTemplate(): Promise<string | undefined> {
  loading ??= fetch('page.html').then(
    async (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  );
  const template = await loading;
  if (template === undefined) loading = undefined;
  return template;
}

/** A file that carries its profile, as it is asked for. */
type AskedForm = Pick<PageForm, 'options' | 'template' | 'most'>;

/** The form with what the window adds to it. */
function pageForm(form: AskedForm, { preferences, logs, version }: WindowState, log: LogView): PageForm {
  const { frames, threads } = preferences;
  // How JVMs are recorded is nobody's concern.
  const { record: _, attachWith: __, ...settings } = preferences;
  const alone = { name: log.name, base: undefined, baseline: undefined, merge: undefined };
  const whole = { ...linkedScope(log, preferences, logs), ...alone };
  // The part is what was in scope: it needs no scope any more, and its call nodes have other numbers.
  const part = { ...whole, scope: EMPTY_SCOPE, ...NO_ZOOM };
  const viewOf = (shown: LinkedScope): string =>
    fragmentOf({ frames, threads: shown.zoom && threads, logs: [shown] });
  return {
    ...form,
    madeBy: version,
    preferences: JSON.stringify(settings),
    views: { whole: viewOf(whole), part: viewOf(part) },
  };
}

function exportActive(format: ExportFormatId, compared?: CompareFormatId, form?: AskedForm): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log === undefined) return;
  const { preferences } = state;
  const id = state.nextNumber;
  const fileName = exportFileName(
    log.name,
    compared === undefined ? exportFormat(format) : compareFormat(compared),
  );
  const started = { id, log: log.key, fileName, share: 0 };
  useWindow.setState({ nextNumber: id + 1, exporting: [...state.exporting, started] });
  services().mirrors.post(log.key, {
    type: 'export',
    job: {
      id,
      format,
      compared,
      fileName,
      threads: shownThreads(log, preferences.threads),
      zoom: zoomInForce(log),
      isBottomUp: preferences.flame === 'bottom-up',
      pixels: state.flameWidth,
      theme: isDark(state) ? 'dark' : 'light',
      colourBy: shownColourBy(log, preferences),
      orientation: preferences.orientation,
      order: shownSort(log, { ...preferences, comparedSorts: preferences.sorts }, 'flat'),
      // The zoomed frame is named below the title, as in the command line's SVG.
      title: compared === undefined ? log.name : 'Profile comparison',
      names: comparedNames(state, log),
      units: unitsOf(log),
      facts: log.status,
      project: state.project,
      name: log.name,
      page: form && pageForm(form, state, log),
      sides: factsOfSides(state, log),
    },
  });
}

function factsOfSides(state: WindowState, log: LogView): { base: LogFacts; next: LogFacts } | undefined {
  const { status, baseline } = log;
  const other = baseline?.log === undefined ? log : readLogs(state).find(({ key }) => key === baseline.log);
  return status === undefined || other?.status === undefined
    ? undefined
    : { base: other.status, next: status };
}

/** Cancels an export and discards its output. */
export function cancelExport(id: number): void {
  useWindow.setState(({ exporting }) => ({ exporting: exporting.filter((each) => each.id !== id) }));
}

/** Saves a file that the host has made for this page. */
export function fetchDownload(id: string, name: string): void {
  clickLink(`/download/${id}`, name);
}

function clickLink(href: string, download: string): void {
  Object.assign(document.createElement('a'), { href, download }).click();
}

/** Saves what the worker has written; a picture is drawn of it before. */
export function saveExported({ name, content }: { readonly name: string; readonly content: Blob }): void {
  if (!name.endsWith(`.${exportFormat('png').extension}`)) return saveFile(name, content);
  drawPicture(content).then(
    (picture) => saveFile(name, picture),
    () => showNotice('problem', `${name} would be too large. An SVG has any size.`),
  );
}

/** A picture has at least so many pixels in each direction for one of its drawing, so that texts are sharp. */
const PICTURE_SCALE = 2;

/** Draws an SVG as PNG. Rejects if the browser has no canvas that large. */
async function drawPicture(drawing: Blob): Promise<Blob> {
  const image = new Image();
  // The policy of the page allows no other address.
  image.src = `data:image/svg+xml,${encodeURIComponent(await drawing.text())}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * PICTURE_SCALE;
  canvas.height = image.naturalHeight * PICTURE_SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (picture) => (picture === null ? reject(new Error('too large')) : resolve(picture)),
      'image/png',
    );
  });
}

/** Saves a file: the browser's download, or the desktop's save dialog. */
function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  clickLink(url, name);
  // The download starts in a later task and needs the URL until then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface ExportsOptions {
  /** Starts a worker that only writes. */
  openPort(onEvent: (event: MirrorEvent) => void): MirrorPort;
  /** Posts to the worker that has the log's profile. */
  postToMirror(log: LogKey, request: MirrorRequest, transfer: Transferable[]): void;
  onEvent(log: LogKey, event: MirrorEvent): void;
}

/**
 * The workers that write files, one per running export: the panes are answered meanwhile, and ending the worker cancels
 * the export at once and frees its memory. The host serves a worker's code, so none can be started when it has ended: the
 * profile worker writes the file then, and the panes wait for it.
 */
export class Exports {
  readonly #options: ExportsOptions;
  /** Id of an export -> its worker. */
  readonly #ports = new Map<number, MirrorPort>();
  #isConnected = false;

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** Starts writing the file. */
  write(log: LogKey, source: ExportSource): void {
    const { id } = source.job;
    const request = { type: 'write', source } as const;
    const buffers = [...source.profile, ...(source.base ?? [])];
    if (!this.#isConnected) return this.#options.postToMirror(log, request, buffers);
    const port = this.#options.openPort((event) => {
      if (!this.#ports.has(id)) return;
      if (event.type !== 'exporting') this.#end(id);
      const isFailed = event.type === 'failed';
      this.#options.onEvent(log, isFailed ? { type: 'exportFailed', id, text: event.text } : event);
    });
    this.#ports.set(id, port);
    port.post([request], buffers);
  }

  /** Ends the workers of cancelled exports. */
  sync({ connection, exporting }: WindowState): void {
    this.#isConnected = connection.state === 'open';
    for (const id of this.#ports.keys()) if (!exporting.some((each) => each.id === id)) this.#end(id);
  }

  #end(id: number): void {
    this.#ports.get(id)?.close();
    this.#ports.delete(id);
  }
}

/** Whether an event tells of a file that nobody wants any more: the profile worker finishes it. */
export function isOfCancelledExport(event: MirrorEvent, { exporting }: WindowState): boolean {
  switch (event.type) {
    case 'exportSource':
      return exporting.every(({ id }) => id !== event.source.job.id);
    case 'exporting':
    case 'exported':
    case 'exportFailed':
      return exporting.every(({ id }) => id !== event.id);
    default:
      return false;
  }
}
