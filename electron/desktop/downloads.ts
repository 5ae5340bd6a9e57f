import { join } from 'node:path';
import type { Session } from 'electron';
import { APP_ORIGIN } from './app-origin.ts';
import { suggestedFileName } from './file-name.ts';

/** Saves only files that the page created, and only where the user chooses. */
export function saveDownloads(session: Session, folder: string): void {
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${APP_ORIGIN}/`)) {
      event.preventDefault();
      return;
    }
    item.setSaveDialogOptions({ defaultPath: join(folder, suggestedFileName(item.getFilename())) });
  });
}
