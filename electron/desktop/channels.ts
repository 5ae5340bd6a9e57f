/**
 * All IPC channels between the main process and the window's preload script.
 *
 *   connect      window → main   (connection)           connects the page to the host; ends an older connection
 *   disconnect   window → main   (connection)           the page disconnects
 *   message      both ways       (connection, message)  one message of shared/protocol/messages.ts, text or binary
 *   closed       main → window   (connection, reason)   the host ended the connection; shows the reason to the user
 *   openDropped  window → main   (path)                 opens a dropped file; the preload script finds its path
 *   theme        window → main   (ThemeChoice)          the theme of the window, for its frame, menu and dialogs
 *   command      main → window   (WindowCommand)        a command of the menu
 *   shown        window → main   (LogId?, progress?)    the active log, and how much of it is read
 *   reveal       window → main   (LogId)                shows a log's file in the file manager
 *   saved        main → window   (name)                 a file was saved
 *   revealSaved  window → main   ()                     shows the file that was saved last in the file manager
 *
 * A connection is a random number that the preload script picks whenever the page loads. Messages with another number
 * are ignored: they belong to the page before a reload.
 */
export const CHANNELS = {
  connect: 'leanscope:connect',
  disconnect: 'leanscope:disconnect',
  message: 'leanscope:message',
  closed: 'leanscope:closed',
  openDropped: 'leanscope:open-dropped',
  theme: 'leanscope:theme',
  command: 'leanscope:command',
  shown: 'leanscope:shown',
  reveal: 'leanscope:reveal',
  saved: 'leanscope:saved',
  revealSaved: 'leanscope:reveal-saved',
} as const;
