import { type ReactNode, useId, useState } from 'react';
import { hasSamples } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';
import { Select } from '../widgets/Select.tsx';
import { metricOptions, type ViewOption, viewOptions } from './view-options.ts';

/** The button that opens the view options. */
export function ViewMenu({ log }: { readonly log: LogView | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="View"
      isOpen={isOpen}
      onToggle={setOpen}
      button={<Icon name="view" />}
      buttonClass="button button-bare"
      buttonProps={{
        'aria-label': 'View',
        'data-testid': 'view',
        'data-tip': 'View: panes, frames, threads, colours, theme',
      }}
    >
      {() => <ViewOptions log={log} />}
    </Popover>
  );
}

function ViewOptions({ log }: { readonly log: LogView | undefined }): ReactNode {
  const preferences = useWindow((state) => state.preferences);
  const isSmall = useWindow((state) => state.isSmall);
  // A small window has no space for the control of the metric beside the numbers of the scope.
  const options = viewOptions({ preferences, isSmall }, log).filter(({ id }) => isSmall || id !== 'metric');
  const fields = (isRare: boolean): ReactNode =>
    options
      .filter((option) => (option.isRare === true) === isRare)
      .map((option) => <Labelled key={option.id} option={option} />);
  return (
    <>
      <div className="form">{fields(false)}</div>
      {log !== undefined && (
        <details className="form-more" data-testid="view-more">
          <summary>More</summary>
          <div className="form">{fields(true)}</div>
        </details>
      )}
    </>
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
