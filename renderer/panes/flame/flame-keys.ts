import type { Orientation } from '../../store/preferences.ts';
import type { FlameStep } from '../../store/flame-walk.ts';

export type FlameKey =
  | { readonly type: 'step'; readonly step: FlameStep }
  | { readonly type: 'open' | 'zoom' | 'lines' | 'out' | 'menu' };

/**
 * The action of a key in the flame graph, by `keyName`. Up and down follow the layout on screen, so they depend on the orientation.
 */
export function flameKey(key: string, orientation: Orientation): FlameKey | undefined {
  const up = orientation === 'flame' ? 'callee' : 'caller';
  switch (key) {
    case 'ArrowUp':
      return { type: 'step', step: up };
    case 'ArrowDown':
      return { type: 'step', step: up === 'callee' ? 'caller' : 'callee' };
    case 'ArrowLeft':
      return { type: 'step', step: 'left' };
    case 'ArrowRight':
      return { type: 'step', step: 'right' };
    case 'Home':
      return { type: 'step', step: 'root' };
    case 'Enter':
      return { type: 'open' };
    case ' ':
      return { type: 'zoom' };
    case 'Alt+l':
      return { type: 'lines' };
    case 'Backspace':
      return { type: 'out' };
    case 'ContextMenu':
      return { type: 'menu' };
    default:
      return undefined;
  }
}
