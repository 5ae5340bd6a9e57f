import { join } from 'node:path';
import type { Session, WebContents } from 'electron';
import { APP_ORIGIN } from './protocol.ts';
import { filtersFor } from './dialogs.ts';
import { suggestedFileName } from './file-name.ts';

export interface DownloadOptions {
  /** The folder to start in. */
  folder(): string;
  /** `page`: the page that created the file. */
  onSaved(path: string, page: WebContents): void;
  /** The file could not be written completely. */
  onFailed(path: string): void;
}

/** Allows downloads only of content that the page created, and asks the user where to save it. */
export function saveDownloads(session: Session, options: DownloadOptions): void {
  session.on('will-download', (event, item, page) => {
    if (!item.getURL().startsWith(`blob:${APP_ORIGIN}/`)) {
      event.preventDefault();
      return;
    }
    const name = suggestedFileName(item.getFilename());
    item.setSaveDialogOptions({
      // Without a title the dialog shows the address, "blob:app://…".
      title: `Save ${name}`,
      defaultPath: join(options.folder(), name),
      filters: filtersFor(name),
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    item.once('done', (_event, state) => {
      if (state === 'completed') options.onSaved(item.getSavePath(), page);
      else if (state === 'interrupted') options.onFailed(item.getSavePath());
    });
  });
}
