/**
 * The only words between the main process and the window's preload script.
 *
 *   connect      window → main   (connection)           the page listens; a client of the host begins, an older ends
 *   disconnect   window → main   (connection)           the page wants no more
 *   message      both ways       (connection, message)  one message of shared/protocol/messages.ts, text or binary
 *   closed       main → window   (connection, reason)   the host ended the connection: a reason for people
 *   openDropped  window → main   (path)                 of a dropped file, found by the preload script
 *   command      main → window   (WindowCommand)
 *
 * A connection is a number that the page draws when it is loaded: what was sent to the page before is not its own.
 */
export const CHANNELS = {
  connect: 'leanscope:connect',
  disconnect: 'leanscope:disconnect',
  message: 'leanscope:message',
  closed: 'leanscope:closed',
  openDropped: 'leanscope:open-dropped',
  command: 'leanscope:command',
} as const;
