import { is, isNot, isPossible, type ProfileFormat } from '../profile-format.ts';
import { CpuProfileDecoder } from './decoder.ts';

/** CPU profiles of Chrome and Node.js (specs: other formats; Chrome DevTools Protocol, Profiler.Profile). */
export const CPUPROFILE: ProfileFormat = {
  id: 'cpuprofile',
  name: 'V8 CPU profile',
  listed: { group: 'Exchange formats', entry: 'V8 CPU profile' },
  extensions: ['.cpuprofile'],
  follows: false,
  notRecorded: [
    'threads',
    'the executed line: lines are those where functions begin',
    'whether a stack was truncated',
  ],
  recognise: (head) => {
    const text = new TextDecoder().decode(head);
    if (!/^\ufeff?\s*\{/.test(text)) return isNot(0, 'it is not a JSON object');
    // Heap sampling profiles have the same call nodes, with bytes instead of samples.
    if (/"selfSize"\s*:/.test(text)) return isNot(0.6, 'it is a V8 heap profile');
    // The keys of an object have no order: pages of samples may come before the call nodes.
    const hasNodes = /"nodes"\s*:\s*\[/.test(text) && /"callFrame"\s*:/.test(text);
    const hasTree = /"head"\s*:\s*\{/.test(text) && /"(?:hitCount|callUID|children)"\s*:/.test(text);
    if (/"functionName"\s*:/.test(text) && (hasNodes || hasTree))
      return is('it has call nodes and names of functions');
    return isPossible(0.2, 'it has no call nodes and names of functions');
  },
  createDecoder: (sink) => new CpuProfileDecoder(sink),
};
