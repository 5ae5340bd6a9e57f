import { NO_PROJECT } from '../../../shared/findings/finding.ts';
import { assertNever } from '../../../shared/assert.ts';
import type { HostMessage, LogDescription, LogStatus } from '../../../shared/protocol/messages.ts';
import type { ConnectionState } from '../../connection/host-client.ts';
import type { MirrorEvent, ProfileSummary } from '../../profile-worker/mirror-messages.ts';
import { isPart, readLogs, withAwaitedPart, withMergedStatuses } from '../state/merged-logs.ts';
import { withAnswer, withDetail, withSelection } from '../state/selection.ts';
import { hasLostTimes, withoutRangesOf, withStatus } from './log-status.ts';
import { isFlamePane, isHalf } from '../panes/panes.ts';
import { withShown } from '../panes/pane-views.ts';
import { withoutZooms, withStepRefused, withZoomNow, zoomedPathText } from '../state/scope-history.ts';
import { NO_JVMS, withJvms } from '../state/jvms-view.ts';
import { isPartial } from '../state/selectors.ts';
import { withLatePanes } from '../state/shown-panes.ts';
import { withKeptParts } from '../state/spread-parts.ts';
import { changeLog, notify } from '../state/state-changes.ts';
import { hostKey, type LogKey, type LogView, newLogView, type WindowState } from '../state/window-state.ts';

/** All events from outside the window, with a timestamp where it is needed. */
export type WindowEvent =
  | { readonly type: 'connection'; readonly connection: ConnectionState }
  | { readonly type: 'host'; readonly message: HostMessage; readonly now: number }
  /** The worker was ended because of this expression, and knows no log any more. */
  | { readonly type: 'stopped'; readonly expression: string }
  | { readonly type: 'computing'; readonly log: LogKey; readonly computing: boolean }
  | { readonly type: 'mirror'; readonly log: LogKey; readonly event: MirrorEvent; readonly now: number };

/** The state after an event. Pure. */
export function receive(state: WindowState, event: WindowEvent): WindowState {
  switch (event.type) {
    case 'connection': {
      // An attempt to connect again changes nothing for the user until it succeeds.
      const isAttempt = event.connection.state === 'connecting' && state.connection.state === 'lost';
      return isAttempt ? state : { ...state, connection: event.connection };
    }
    case 'host':
      return receiveHost(state, event.message, event.now);
    case 'stopped': {
      const lost = (log: LogView): LogView => ({ ...log, computing: false, isHeld: false });
      return notify(
        {
          ...state,
          logs: state.logs.map(lost),
          background: state.background.map(lost),
          // Exports that have written nothing yet wait for the worker.
          exporting: state.exporting.filter(({ share }) => share > 0),
        },
        'problem',
        `The regular expression /${event.expression}/ took too long. It was stopped.`,
      );
    }
    case 'computing':
      return changeLog(state, event.log, (log) => ({ ...log, computing: event.computing }));
    case 'mirror':
      return receiveMirror(state, event.log, event.event, event.now);
  }
}

function receiveHost(state: WindowState, message: HostMessage, now: number): WindowState {
  switch (message.type) {
    case 'hello': {
      const { version, run: hostRun, capabilities, samples, formats, recent, project = NO_PROJECT } = message;
      const told = { version, hostRun, capabilities, samples, formats, recent, project };
      // Sources and JVMs are sent after it.
      const known = { ...state, ...told, sources: undefined, jvms: NO_JVMS };
      return reconcile(known, message.logs, hostRun === state.hostRun);
    }
    case 'recent':
      return { ...state, recent: message.files };
    case 'opened':
      return receiveOpened(state, describe(message.log), message.show);
    case 'closed':
      return withoutLog(state, hostKey(message.log));
    case 'status':
      return receiveStatus(state, hostKey(message.log), message.status, now);
    case 'problem':
      // It may be why a part of merged logs is not opened.
      return notify({ ...state, awaitedMerges: [] }, 'problem', message.text);
    case 'sources':
      return { ...state, sources: message.settings };
    case 'attach': {
      const isOver = message.progress.state === 'attached' && state.dialog?.kind === 'attach';
      return { ...state, jvms: withJvms(state.jvms, message), ...(isOver && { dialog: undefined }) };
    }
    case 'jvms':
    case 'agent':
    case 'sampling':
    case 'recording':
      return { ...state, jvms: withJvms(state.jvms, message) };
    case 'source':
      return state.sourceSearch?.request === message.request
        ? { ...state, sourceSearch: { ...state.sourceSearch, answer: message.answer } }
        : state;
    default:
      // A message of a later version of the protocol, unknown here.
      return state;
  }
}

/** A log that is read without a tab gets one when it is to be shown. */
function receiveOpened(state: WindowState, opened: LogView, show: boolean): WindowState {
  const { key } = opened;
  const isNew = readLogs(state).every((log) => log.key !== key);
  const awaited = isNew ? withAwaitedPart(state, opened) : undefined;
  if (awaited !== undefined) return awaited;
  const known = state.background.find((log) => log.key === key);
  if (known !== undefined && !show) return state;
  const log = known ?? (isNew ? opened : undefined);
  return {
    ...state,
    background: state.background.filter((each) => each !== known),
    logs: log === undefined ? state.logs : [...state.logs, log],
    active: show || state.active === undefined ? key : state.active,
  };
}

/**
 * After `hello`: keeps the logs that the host still has, removes the others, adds new ones. After a restart of the host an
 * old id may mean another file, so none of its logs is kept.
 */
function reconcile(
  state: WindowState,
  described: readonly LogDescription[],
  isSameRun: boolean,
): WindowState {
  const keys = new Set(described.map((log) => hostKey(log.id)));
  const isThere = (log: LogView): boolean => log.hostLog === undefined || (isSameRun && keys.has(log.key));
  const background = state.background.filter(isThere);
  const single = state.logs.filter((log) => log.merge === undefined && isThere(log));
  const knownKeys = new Set([...single, ...background].map((log) => log.key));
  const kept = state.logs.filter(
    (log) => single.includes(log) || log.merge?.parts.every((part) => knownKeys.has(part)),
  );
  const logs = [...kept, ...described.map(describe).filter((log) => !knownKeys.has(log.key))];
  const active = logs.some((log) => log.key === state.active) ? state.active : logs.at(-1)?.key;
  return { ...withLogs(state, kept), logs, background, active, awaitedMerges: [] };
}

/**
 * The state with these tabs, without the exports and the dialog of logs which were closed, perhaps by another window. Merging
 * goes on with the logs that are left.
 */
function withLogs(state: WindowState, logs: readonly LogView[]): WindowState {
  const isOpen = (log: LogKey): boolean => logs.some(({ key }) => key === log);
  const exporting = state.exporting.filter(({ log }) => isOpen(log));
  const { dialog } = state;
  const left = dialog?.kind === 'closing' ? { ...dialog, logs: dialog.logs.filter(isOpen) } : dialog;
  const isOver =
    left?.kind === 'closing'
      ? left.logs.length === 0
      : left !== undefined && 'log' in left && left.kind !== 'merge' && !isOpen(left.log);
  return { ...state, logs, exporting, dialog: isOver ? undefined : left };
}

function withoutExport(state: WindowState, id: number): WindowState {
  return { ...state, exporting: state.exporting.filter((each) => each.id !== id) };
}

function receiveMirror(state: WindowState, key: LogKey, event: MirrorEvent, now: number): WindowState {
  if (event.type === 'sought') return changeLog(state, key, (log) => ({ ...log, sought: event }));
  if ('pane' in event) {
    return changeLog(state, key, (log) =>
      withFreshZoom(withKeptParts({ ...log, panes: withShown(log.panes, event) }), log, event),
    );
  }
  switch (event.type) {
    case 'applied':
      return changeLog(state, key, (log) => withMirrored(log, event, now));
    case 'union': {
      const known = changeLog(state, key, (log) => ({ ...log, union: event }));
      return withMergedStatuses(known, key, (log, status) => withStatus(log, status, now, state.preferences));
    }
    case 'summary':
      return receiveSummary(state, key, event.summary);
    case 'about':
      return changeLog(state, key, (log) => ({ ...log, about: { ...log.about, [event.of]: event } }));
    case 'selected':
      return changeLog(state, key, (log) => withAnswer(log, event));
    case 'hiding':
    case 'threads':
    case 'recent': {
      const { type: _, ...news } = event;
      return changeLog(state, key, (log) => ({ ...log, ...news }));
    }
    case 'timeline': {
      const { type: _, columns: timeline, ...others } = event;
      return changeLog(state, key, (log) => ({ ...log, timeline, ...others }));
    }
    case 'search':
      return changeLog(state, key, (log) => ({ ...log, search: event }));
    case 'status':
      return receiveStatus(state, key, event.status, now);
    case 'runs':
      return state.dialog?.kind === 'compare' && state.dialog.log === key
        ? { ...state, dialog: { ...state.dialog, report: event.report } }
        : state;
    case 'exported': {
      // Browser and desktop report by themselves where it is saved.
      const after = withoutExport(state, event.id);
      const { name, notes } = event;
      return notes.length === 0 ? after : notify(after, 'info', `Exported ${name}: ${notes.join('; ')}.`);
    }
    case 'exporting': {
      const { id, share } = event;
      return {
        ...state,
        exporting: state.exporting.map((each) => (each.id === id ? { ...each, share } : each)),
      };
    }
    case 'exportFailed':
      return notify(withoutExport(state, event.id), 'problem', `Nothing was exported: ${event.text}`);
    case 'notice':
      return notify(state, 'info', event.text);
    case 'failed':
      return notify(
        { ...state, exporting: state.exporting.filter(({ log }) => log !== key) },
        'problem',
        event.text,
      );
    case 'copied':
      return event.note === undefined ? state : notify(state, 'info', event.note);
    case 'exportSource':
    case 'gap':
    case 'barrier':
      return state;
    default:
      return assertNever(event, 'mirror event');
  }
}

/** A baseline that leaves nothing to compare is refused, unless more may come. */
function receiveSummary(state: WindowState, key: LogKey, summary: ProfileSummary): WindowState {
  const received = changeLog(state, key, (log) => withKeptParts(withLatePanes({ ...log, summary })));
  const log = received.logs.find((each) => each.key === key);
  const { compared } = summary;
  if (log?.triedBaseline === undefined || compared === undefined || isPartial(log)) return received;
  const empty = compared.next.samples === 0 ? 'next' : compared.base.samples === 0 ? 'base' : undefined;
  // Where the log grows, samples come to either side.
  if (empty === undefined || log.hasGrown || log.triedBaseline !== log.baseline)
    return changeLog(received, key, (each) => ({ ...each, triedBaseline: undefined }));
  const why =
    empty === 'next'
      ? 'all samples are in the baseline, and none are left to compare with it'
      : 'the baseline has no samples';
  return notify(changeLog(received, key, withStepRefused), 'info', `Nothing was compared: ${why}.`);
}

/** Where the rows of a flame graph have other ids, earlier zooms name none of them. */
function withFreshZoom(
  log: LogView,
  { panes }: LogView,
  event: Extract<MirrorEvent, { readonly pane: string }>,
): LogView {
  if (event.type !== 'flame' || !isFlamePane(event.pane)) return log;
  if (log.zoomedPath !== undefined && !isHalf(event.pane) && event.zoom !== undefined) {
    // It is read again then, with other call nodes.
    if (isReadOtherwise(log)) return log;
    const isKnown = zoomedPathText(event) === log.zoomedPath;
    return isKnown ? { ...log, zoomedPath: undefined } : withoutZooms(log);
  }
  const before = panes[event.pane].shown;
  if (before === undefined || before.numbering === event.numbering) return log;
  return withZoomNow(log, event.pane, event.zoom);
}

/** Whether the log is not yet read as the user has chosen: as at the next start, when it is read by default first. */
function isReadOtherwise({ chosen, shownEpoch }: LogView): boolean {
  return chosen !== undefined && (shownEpoch ?? 0) === 0;
}

const MIRRORED_EVERY_MS = 200;

function withMirrored(
  log: LogView,
  { epoch, nodes, complete }: Extract<MirrorEvent, { readonly type: 'applied' }>,
  now: number,
): LogView {
  const mirrored = { at: now, nodes, complete };
  if (epoch !== log.shownEpoch) {
    // Call nodes, frames and samples have other numbers in another epoch.
    // A restored zoom is one of the samples that the user has chosen, which come in the second epoch.
    const isRestored = log.zoomedPath !== undefined && isReadOtherwise(log);
    const isFirst = log.shownEpoch === undefined || isRestored;
    const own = isFirst ? log : withoutZooms(log);
    const kept = withDetail(own.selection === undefined ? own : withSelection(own, undefined), []);
    return {
      ...kept,
      // It is about samples that are gone, perhaps of another type.
      panes: { ...kept.panes, summary: { ...kept.panes.summary, shown: undefined } },
      mirrored,
      late: undefined,
      shownEpoch: epoch,
      timeline: undefined,
      tracks: undefined,
      heatmap: undefined,
      durations: undefined,
      gaps: undefined,
      // One of a link waits for its log.
      timelineZoom: isFirst ? kept.timelineZoom : undefined,
      // Its timeline is gone, so that the drag has no end.
      beforeDrag: undefined,
      foundMethod: undefined,
    };
  }
  if (log.mirrored === undefined || (complete && !log.mirrored.complete)) return { ...log, mirrored };
  // While a log is read some deltas are complete and the next ones are not.
  const shows = !complete || log.status?.state === 'reading';
  return shows && now - log.mirrored.at >= MIRRORED_EVERY_MS ? { ...log, mirrored } : log;
}

function receiveStatus(state: WindowState, key: LogKey, news: LogStatus, now: number): WindowState {
  const before = readLogs(state).find((log) => log.key === key);
  const update = (log: LogView, status: LogStatus): LogView =>
    withStatus(log, status, now, state.preferences);
  const told = changeLog(state, key, (log) => update(log, news));
  const after = withMergedStatuses(told, key, update, before?.status);
  if (before === undefined || !hasLostTimes(before.status, news)) return after;
  const logs = after.logs.map((log) => withoutRangesOf(log, key));
  const isInForce = ({ scope, baseline }: LogView, at: number): boolean =>
    scope !== after.logs[at].scope || baseline !== after.logs[at].baseline;
  if (!logs.some(isInForce)) return { ...after, logs };
  return notify(
    { ...after, logs },
    'info',
    `${before.name} no longer says when all of its samples were taken: ranges of it are removed.`,
  );
}

function describe(log: LogDescription): LogView {
  const { id, name, folder, sameAs, isRecording = false } = log;
  const first = sameAs === undefined ? undefined : hostKey(sameAs);
  return { ...newLogView(hostKey(id), id, name, folder), sameAs: first, isRecording };
}

/**
 * The state without a tab, and with its neighbour in front, the right one first. A log that merged ones need is read on
 * without it, and logs that only this one needed are not read any more.
 */
export function withoutTab(state: WindowState, key: LogKey): WindowState {
  const at = state.logs.findIndex((log) => log.key === key);
  const left = at < 0 ? state : withLogs(state, state.logs.toSpliced(at, 1));
  const { logs } = left;
  const active = state.active === key ? logs[Math.min(at, logs.length - 1)]?.key : state.active;
  const background = [...state.background, ...state.logs.slice(at, at + 1)];
  return { ...left, active, background: background.filter((each) => isPart(left, each.key)) };
}

/** The state without a log that the host has closed; merged ones keep what was read of it. */
export function withoutLog(state: WindowState, key: LogKey): WindowState {
  const end = (log: LogView): LogView =>
    log.status === undefined ? log : { ...log, status: { ...log.status, state: 'ended' } };
  return withoutTab(changeLog(state, key, end), key);
}
