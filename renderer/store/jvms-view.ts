import type { AttachProgress, JvmEntry, JvmHostMessage, JvmId } from '../../shared/protocol/jvm-messages.ts';

/** The JVMs of the host's machine. */
export interface JvmsView {
  /** As of the last list that was sent; undefined before the first one. */
  readonly list: readonly JvmEntry[] | undefined;
  /** What has become of the JVMs that this window attaches to, until their logs are open. */
  readonly progress: Readonly<Record<JvmId, AttachProgress | undefined>>;
  /** The dialog with the list is open. */
  readonly dialogIsOpen: boolean;
}

export const NO_JVMS: JvmsView = { list: undefined, progress: {}, dialogIsOpen: false };

/** The view after a message of the host. Pure. */
export function withJvms(view: JvmsView, message: JvmHostMessage): JvmsView {
  if (message.type === 'jvms') return { ...view, list: message.jvms };
  const { jvm, progress } = message;
  const isAttached = progress.state === 'attached';
  return {
    ...view,
    progress: { ...view.progress, [jvm]: isAttached ? undefined : progress },
    dialogIsOpen: view.dialogIsOpen && !isAttached,
  };
}
