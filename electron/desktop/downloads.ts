import { join } from 'node:path';
import type { Session } from 'electron';
import { APP_ORIGIN } from './app-origin.ts';
import { suggestedFileName } from './file-name.ts';

/** Only what the page made itself can be saved, and only where the person at the keyboard says. */
export function saveDownloads(session: Session, folder: string): void {
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${APP_ORIGIN}/`)) {
      event.preventDefault();
      return;
    }
    item.setSaveDialogOptions({ defaultPath: join(folder, suggestedFileName(item.getFilename())) });
  });
}
