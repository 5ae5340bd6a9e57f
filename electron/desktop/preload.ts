import { contextBridge } from 'electron';

contextBridge.exposeInMainWorld('leanscope', {});
