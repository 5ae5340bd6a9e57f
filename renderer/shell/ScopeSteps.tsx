import type { ReactNode } from 'react';
import { redoScope, undoScope } from '../store/scope-actions.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';

/** Undo and redo of what the panes look at. */
export function ScopeSteps({
  log: { scopesBack, scopesForward },
  controlKey,
}: {
  readonly log: LogView;
  readonly controlKey: string;
}): ReactNode {
  return (
    <>
      <StepButton icon="undo" name="Undo" keys={`${controlKey}Z`} steps={scopesBack} onClick={undoScope} />
      <StepButton
        icon="redo"
        name="Redo"
        keys={`${controlKey}Shift Z`}
        steps={scopesForward}
        onClick={redoScope}
      />
    </>
  );
}

function StepButton({
  icon,
  name,
  keys,
  steps,
  onClick,
}: {
  readonly icon: 'undo' | 'redo';
  readonly name: string;
  readonly keys: string;
  readonly steps: LogView['scopesBack'];
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button button-bare"
      data-testid={`scope-${icon}`}
      aria-label={name}
      data-tip={`${name} (${keys})`}
      // Not `disabled`: the last step that it takes would lose the focus.
      aria-disabled={steps.length === 0}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
