import { SharedProfiles } from '../../renderer/profile-worker/shared-profiles.ts';
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

/** Two logs as the window has them: each reads the profile of the other one. */
export class ComparedLogs {
  readonly profiles = new SharedProfiles();
  readonly base = new Driven({ log: 'base', profiles: this.profiles });
  readonly next: Driven;

  constructor(...requests: readonly Handled[]) {
    this.next = new Driven({ log: 'next', profiles: this.profiles }, ...requests);
  }

  ask(of: 'base' | 'next', ...requests: readonly Handled[]): void {
    this[of].ask(...requests);
    // What is due in the other one because of it.
    for (const log of [this.base, this.next]) log.ask();
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
  return logs;
}
