import { EventEmitter } from 'node:events';

type Handler = (...args: never[]) => unknown;

export class FakeSession extends EventEmitter {
  readonly handlers = new Map<string, Handler | null>();
  readonly webRequest = {
    onBeforeRequest: (handler: Handler) => void this.handlers.set('onBeforeRequest', handler),
  };
  setPermissionRequestHandler = (handler: Handler) => void this.handlers.set('permissionRequest', handler);
  setPermissionCheckHandler = (handler: Handler) => void this.handlers.set('permissionCheck', handler);
  setDevicePermissionHandler = (handler: Handler) => void this.handlers.set('devicePermission', handler);
  setDisplayMediaRequestHandler = (handler: Handler | null) =>
    void this.handlers.set('displayMedia', handler);
}
