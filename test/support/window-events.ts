import type { WindowEvent } from '../../renderer/store/events/receive.ts';
import { NO_SUMMARY } from '../../renderer/panes/table/rows.ts';
import type { MirrorEvent, ProfileSummary } from '../../renderer/profile-worker/mirror-messages.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import { NO_LOG_FACTS } from '../../shared/facts/log-facts.ts';
import {
  type Epoch,
  type HostMessage,
  type LogDescription,
  type LogId,
  type LogStatus,
  PROTOCOL_VERSION,
} from '../../shared/protocol/messages.ts';

/** Log `id` of a host, in /logs. */
export function logDescription(id: number): LogDescription {
  return { id: id as LogId, name: `${id}.hpl`, folder: '/logs' };
}

/** Of a profile with one thread, one method and one call node. */
export function profileSummary(change: Partial<ProfileSummary> = {}): ProfileSummary {
  return { ...NO_SUMMARY, threads: 1, methods: 1, nodes: 1, ...change };
}

export function logStatus(
  change: Partial<Omit<LogStatus, 'epoch'>> & { readonly epoch?: number },
): LogStatus {
  return {
    ...NO_LOG_FACTS,
    format: 'honest-log',
    units: SAMPLES_AND_TIME,
    state: 'live',
    detail: undefined,
    restart: undefined,
    damage: undefined,
    fileBytes: 1000,
    readBytes: 1000,
    acceptedBytes: 1000,
    skippedBytes: 0,
    pendingBytes: 0,
    samples: 0,
    threads: 1,
    methods: 11,
    frames: 0,
    nodes: 0,
    errorSamples: {},
    spanNs: undefined,
    lastTime: undefined,
    backwardSteps: 0,
    deepestStack: 0,
    ...change,
    epoch: (change.epoch ?? 0) as Epoch,
  };
}

export function hello(...logs: readonly number[]): HostMessage {
  return {
    type: 'hello',
    protocol: PROTOCOL_VERSION,
    version: '1.2.3',
    run: 'first',
    capabilities: { openDialog: false, openDropped: false },
    samples: ['honest-profiler', 'jfr'],
    formats: [{ title: 'JVM profilers', formats: [{ name: 'JFR', files: '.jfr' }] }],
    logs: logs.map(logDescription),
    recent: [],
  };
}

export function fromHost(message: HostMessage, now = 0): WindowEvent {
  return { type: 'host', message, now };
}

export function fromMirror(log: string, event: MirrorEvent, now = 0): WindowEvent {
  return { type: 'mirror', log, event, now };
}
