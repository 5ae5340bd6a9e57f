import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { type PageOptions, WHOLE_SCOPE } from '../../shared/export/page-options.ts';
import { closeDialog } from '../store/actions.ts';
import { exportPage } from '../store/export-view.ts';
import { activeLog, hasSampleTimes } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { DialogCommands, takesFocus } from '../widgets/Dialog.tsx';
import './forms.css';

/** The dialog that chooses the parts of a page to send. */
export function PageOptionsForm(): ReactNode {
  const isCompared = useWindow(({ dialog }) => dialog?.kind === 'page' && dialog.isCompared);
  const hasTimes = useWindow((state) => {
    const log = activeLog(state);
    return log !== undefined && hasSampleTimes(log);
  });
  const [options, change] = useState<PageOptions>(WHOLE_SCOPE);
  const [prefixes, type] = useState('');

  function apply(event: SyntheticEvent): void {
    event.preventDefault();
    closeDialog('page');
    void exportPage({ ...options, anonymous: prefixes.split(/[\s,]+/).filter(Boolean) }, isCompared);
  }

  const check = (label: string, isOn: boolean, set: (isOn: boolean) => Partial<PageOptions>): ReactNode => (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => change({ ...options, ...set(event.target.checked) })}
      />
      {label}
    </label>
  );
  return (
    <form onSubmit={apply} noValidate>
      <p className="dialog-help">
        One HTML file with this window and the profile. It opens in any browser, without a network, and in
        Leanscope. It has no arguments of the JVM, no environment and no paths.
      </p>
      <div className="page-fields">
        <label>
          <span>Note to the reader</span>
          <textarea
            className="text-field"
            rows={2}
            ref={takesFocus}
            value={options.note}
            data-testid="page-note"
            onChange={(event) => change({ ...options, note: event.target.value })}
          />
        </label>
        <label>
          <span>Replace the names of packages, such as com.acme</span>
          <input
            type="text"
            className="text-field"
            placeholder="com.acme"
            spellCheck={false}
            value={prefixes}
            data-testid="page-anonymous"
            onChange={(event) => type(event.target.value)}
          />
        </label>
        {!isCompared &&
          check('Samples outside of the scope, too', options.include === 'all', (isOn) => ({
            include: isOn ? 'all' : 'scope',
          }))}
        {check('Threads', options.threads, (threads) => ({ threads }))}
        {hasTimes && check('Times of samples', options.times, (times) => ({ times }))}
      </div>
      <DialogCommands submit="Save" testId="page-save" onCancel={() => closeDialog('page')} />
    </form>
  );
}
