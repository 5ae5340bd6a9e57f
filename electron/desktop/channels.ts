/**
 * All IPC channels between the main process and the window's preload script.
 *
 *   connect      window → main   (connection)           connects the page to the host; ends its older connection
 *   disconnect   window → main   (connection)           the page disconnects
 *   message      both ways       (connection, message)  one message of shared/protocol/messages.ts, text or binary
 *   closed       main → window   (connection, reason)   the host ended the connection; the reason is a text to show
 *   openDropped  window → main   (path)                 of a dropped file, found by the preload script
 *   command      main → window   (WindowCommand)
 *
 * A connection is a random number that the page picks when it loads. Messages with an older number are ignored.
 */
export const CHANNELS = {
  connect: 'leanscope:connect',
  disconnect: 'leanscope:disconnect',
  message: 'leanscope:message',
  closed: 'leanscope:closed',
  openDropped: 'leanscope:open-dropped',
  command: 'leanscope:command',
} as const;
