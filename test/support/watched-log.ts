import { onTestFinished } from 'vitest';
import type { TailFileSystem } from '../../electron/source/tail-files.ts';
import type { LogWorkerEvent, RecordingEnd } from '../../electron/worker/worker-messages.ts';
import { LogSession } from '../../electron/worker/log-session.ts';
import type { LogStatus } from '../../shared/protocol/messages.ts';
import { ManualClock } from './manual-clock.ts';
import { MirroredCopy } from './mirrored-copy.ts';

/** A log session on a real file, with a clock that the test advances and one subscriber. */
export class WatchedLog {
  readonly clock = new ManualClock();
  readonly session: LogSession;
  readonly copy = new MirroredCopy();
  /** The number in each `done`. */
  readonly saved: LogWorkerEvent[] = [];
  readonly doneRequests: number[] = [];
  readonly statuses: LogStatus[] = [];
  /** While false, deltas are applied and not acknowledged. */
  acknowledges = true;
  readonly whenDone: Promise<void>;
  readonly #unacknowledged: ReturnType<MirroredCopy['apply']>[] = [];

  constructor(
    path: string,
    options: {
      follow?: boolean;
      files?: TailFileSystem;
      mostNodes?: number;
      leftOut?: readonly string[];
      end?: RecordingEnd;
    } = {},
  ) {
    this.session = new LogSession({
      path,
      follow: options.follow ?? true,
      clock: this.clock,
      ...(options.leftOut === undefined ? {} : { leftOut: options.leftOut }),
      ...(options.end === undefined ? {} : { end: options.end }),
      ...(options.files === undefined ? {} : { files: options.files }),
      ...(options.mostNodes === undefined ? {} : { mostNodes: options.mostNodes }),
      post: (event) => {
        if (event.type === 'status') {
          this.statuses.push(event.status);
        } else if (event.type === 'done') {
          this.doneRequests.push(event.requests);
        } else if (event.type === 'saved') {
          this.saved.push(event);
        } else if (event.type === 'delta' && event.subscriber === 1) {
          this.#unacknowledged.push(this.copy.apply(event.message));
          if (this.acknowledges) queueMicrotask(() => this.acknowledge());
        }
      },
    });
    this.whenDone = this.session.run();
    this.session.receive({ type: 'subscribe', subscriber: 1, samples: true });
    onTestFinished(() => this.stop());
  }

  /** The oldest delta that is not acknowledged. */
  acknowledge(): void {
    const ack = this.#unacknowledged.shift();
    if (ack !== undefined) this.session.receive({ type: 'ack', subscriber: 1, ...ack });
  }

  get status(): LogStatus {
    return this.session.status;
  }

  /** State, epoch, and what explains them: 'live', 'idle in epoch 1 (truncated)', 'failed: This is a directory…'. */
  get state(): string {
    const { state, epoch, restart, detail } = this.status;
    return `${state}${epoch > 0 ? ` in epoch ${epoch} (${String(restart?.kind)})` : ''}${detail === undefined ? '' : `: ${detail}`}`;
  }

  async stop(): Promise<void> {
    this.session.receive({ type: 'stop' });
    this.clock.release();
    await this.whenDone;
  }
}
