import { type ReactNode, useId, useState } from 'react';
import { openDialog } from '../store/actions.ts';
import { hasSamples } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { Button } from '../widgets/Button.tsx';
import { metricOptions, type ViewOption, viewOptions } from './view-options.ts';

/** The button that opens the view options. `isNarrow`: they include those that do not fit in the top row. */
export function ViewMenu({
  log,
  isNarrow,
}: {
  readonly log: LogView | undefined;
  readonly isNarrow: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="View"
      isOpen={isOpen}
      onToggle={setOpen}
      button={
        <>
          <Icon name="view" />
          <span className="button-text">View</span>
        </>
      }
      buttonClass="button"
      buttonProps={{
        'aria-label': 'View',
        'data-testid': 'view',
        'data-tip': 'Panes, frames, threads, colours, theme',
      }}
    >
      {() => <ViewOptions log={log} isNarrow={isNarrow} onLeave={() => setOpen(false)} />}
    </Popover>
  );
}

interface ViewOptionsProps {
  readonly log: LogView | undefined;
  readonly isNarrow: boolean;
  readonly onLeave: () => void;
}

function ViewOptions({ log, isNarrow, onLeave }: ViewOptionsProps): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const isSmall = useWindow((state) => state.isSmall);
  const options = viewOptions({ preferences, isSmall }, log).filter(({ id }) => isNarrow || id !== 'metric');
  return (
    <div className="form">
      {options.map((option) => (
        <Labelled key={option.id} option={option} />
      ))}
      {log !== undefined && isSmall && hasSamples(log) && (
        <>
          <span className="form-label" aria-hidden="true">
            List of threads
          </span>
          <div className="form-control">
            <Button
              testId="open-threads"
              onClick={() => {
                onLeave();
                openDialog({ kind: 'threads' });
              }}
            >
              Choose…
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function Labelled({ option }: { readonly option: ViewOption }): ReactNode {
  const { id, label, control, value, note, choose } = option;
  const field = useId();
  if (control === 'list') return <Select {...option} onChange={choose} testId={id} />;
  const isBox = control === 'box';
  const Label = isBox ? 'label' : 'span';
  return (
    <>
      <Label className="form-label" {...(isBox ? { htmlFor: field } : { 'aria-hidden': true })}>
        {label}
      </Label>
      <div className="form-control">
        {note !== undefined && <span className="form-note">{note}</span>}
        {isBox ? (
          <input
            id={field}
            type="checkbox"
            checked={value === 'on'}
            data-testid={id}
            onChange={(event) => choose(event.target.checked ? 'on' : 'off')}
          />
        ) : (
          <SegmentedControl {...option} onChange={choose} testId={id} />
        )}
      </div>
    </>
  );
}

/** Chooses the metric of shares, widths and order; nothing where the file sums only its samples. */
export function MetricControl({ log }: { readonly log: LogView }): ReactNode {
  const metrics = useWindow((state) => state.preferences.metrics);
  return metricOptions(log, { metrics }).map((option) => (
    <SegmentedControl
      key={option.id}
      {...option}
      onChange={option.choose}
      disabled={!hasSamples(log)}
      testId={option.id}
    />
  ));
}
