import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';
import { Driven, type Handled, view } from './driven-mirror.ts';
import { FollowedLog } from './followed-log.ts';

/** A look at a log with the other one as its baseline. */
export function compared(scope: Partial<Scope> = {}, frames: 'fqmn' | 'line' = 'fqmn', search = ''): Handled {
  return {
    ...(view(search, frames, false, { ...EMPTY_SCOPE, ...scope }) as Extract<Handled, { type: 'view' }>),
    comparison: { by: 'share', isSampled: true, baseline: { log: 'base' } },
  };
}

/** Two logs as the window has them: what the base's mirror lends reaches the other one. */
export class ComparedLogs {
  readonly base = new Driven();
  readonly next: Driven;
  #passedOn = 0;

  constructor(...requests: readonly Handled[]) {
    this.next = new Driven(...requests);
  }

  ask(of: 'base' | 'next', ...requests: readonly Handled[]): void {
    this[of].ask(...requests);
    for (const event of this.base.events.slice(this.#passedOn))
      if (event.type === 'lent') this.next.ask({ type: 'base', of: 'base', lent: event.lent });
    this.#passedOn = this.base.events.length;
  }
}

export function wholeLogs(base: Uint8Array, next: Uint8Array, ...requests: readonly Handled[]): ComparedLogs {
  const logs = new ComparedLogs(...requests);
  for (const [of, bytes] of [
    ['base', base],
    ['next', next],
  ] as const) {
    const log = new FollowedLog();
    log.append(bytes, true);
    logs.ask(of, { type: 'delta', message: log.delta() });
  }
  logs.ask('base', { type: 'lend', to: ['next'] });
  return logs;
}
