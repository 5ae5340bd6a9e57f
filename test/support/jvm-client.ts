import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Host } from '../../electron/host/host.ts';
import type { HostJvmsOptions } from '../../electron/host/jvms/host-jvms.ts';
import { RecentFiles } from '../../electron/host/recent-files.ts';
import type { AttachProgress, JvmEntry } from '../../shared/protocol/jvm-messages.ts';
import type { JvmClientMessage } from '../../shared/protocol/client-messages.ts';
import type { RecordingChoice } from '../../shared/facts/recording-choice.ts';
import type { LogId } from '../../shared/protocol/messages.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { connectedTo, type TestClient } from './test-client.ts';
import { waitFor as waitForSeconds } from './wait-for.ts';

export interface ConnectedClient {
  readonly host: Host;
  readonly client: TestClient;
}

/** What the window records at first. */
export const PROFILE: RecordingChoice = { settings: 'profile', types: ['cpu', 'allocations', 'locks'] };

/** Waits for up to 50 seconds: while other tests use the processors, a JVM takes long to start and to attach to. */
export function waitFor(condition: () => boolean, what: string): Promise<void> {
  return waitForSeconds(condition, what, 50);
}

/** A client of a host that lists JVMs. The host is stopped with the test. */
export async function connectToJvms(
  workerUrl: URL,
  jvms: HostJvmsOptions = { isAllowed: true },
): Promise<ConnectedClient> {
  const host = new Host({
    version: '1',
    capabilities: { openDialog: false, openDropped: false },
    workerUrl,
    sampleFolder: undefined,
    recentFiles: new RecentFiles(join(temporaryFolder(), 'settings')),
    jvms,
  });
  onTestFinished(() => host.stop());
  return { host, client: await connectedTo(host) };
}

export function listOf(client: TestClient): readonly JvmEntry[] {
  return client.messages.findLast((message) => message.type === 'jvms')?.jvms ?? [];
}

/** Asks for the list until the JVM is in it. */
export async function entryOf(client: TestClient, pid: number): Promise<JvmEntry> {
  const found = (): JvmEntry | undefined => listOf(client).find((jvm) => jvm.pid === pid);
  client.send({ type: 'watchJvms', watch: true });
  await waitFor(() => found() !== undefined, `JVM ${pid} in the list`);
  return found()!;
}

export function progressOf({ messages }: TestClient): readonly AttachProgress[] {
  return messages.flatMap((message) => (message.type === 'attach' ? [message.progress] : []));
}

/** Sends a request to attach to a JVM, and resolves to the open log. */
export async function attachedBy(
  client: TestClient,
  request: Extract<JvmClientMessage, { type: 'attachJvm' | 'followRecording' | 'sampleJvm' }>,
): Promise<LogId> {
  const before = progressOf(client).length;
  client.send(request);
  const last = (): AttachProgress | undefined => progressOf(client).slice(before).at(-1);
  await waitFor(() => !['attaching', undefined].includes(last()?.state), 'the JVM to be attached');
  const progress = last();
  if (progress?.state !== 'attached') throw new Error(`not attached: ${JSON.stringify(progress)}`);
  const opened = client.messages.findLast((message) => message.type === 'opened');
  if (opened === undefined) throw new Error('no log was opened');
  return opened.log.id;
}

export function samplesOf(client: TestClient, log: LogId): number {
  return client.statuses.get(log)?.samples ?? 0;
}
