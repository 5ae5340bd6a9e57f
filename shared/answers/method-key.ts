import type { ProfileView } from '../engine/profile-view.ts';
import { nearestTexts } from '../text/nearest-texts.ts';

const MOST_SUGGESTIONS = 3;

/** A method that is asked for is not in scope. The message has what to ask for instead. */
export class UnknownMethod extends Error {
  override readonly name = 'UnknownMethod';
}

/** The key of a method in scope. Throws UnknownMethod, with methods of a like name. */
export function refuseUnknownMethod(view: ProfileView, method: string): number {
  const { keys } = view.flat('fqmn');
  const key = keys.find(method);
  if (key >= 0 && view.flat('fqmn').isShown(key)) return key;
  const shown = keys.labels.filter((_, each) => view.flat('fqmn').isShown(each));
  const behind = shown.filter((label) => label.endsWith(`.${method}`) || label.includes(method));
  const near = [
    ...new Set([...behind.slice(0, MOST_SUGGESTIONS), ...nearestTexts(shown, method, MOST_SUGGESTIONS)]),
  ];
  const meant = near.slice(0, MOST_SUGGESTIONS).map((label) => `'${label}'`);
  throw new UnknownMethod(
    `no sample in scope has the method '${method}' on its stack; ${meant.length === 0 ? 'leanscope top lists methods' : `did you mean ${meant.join(' or ')}?`}`,
  );
}
