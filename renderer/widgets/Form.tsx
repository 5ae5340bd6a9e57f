import type { ComponentProps, ReactNode } from 'react';
import { Button } from './Button.tsx';
import './controls.css';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly testId?: string;
}

/** A line of text. */
export function TextField({ onText, testId, className = '', ...rest }: TextFieldProps): ReactNode {
  return (
    <input
      type="text"
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className={`text-field ${className}`}
      data-testid={testId}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onCheck: (isOn: boolean) => void;
  readonly testId?: string;
  readonly tip?: string;
}

/** A box to tick, and its name beside it. */
export function Check({ onCheck, testId, tip, children, ...rest }: CheckProps): ReactNode {
  return (
    <label className="line" data-tip={tip}>
      <input
        type="checkbox"
        {...rest}
        data-testid={testId}
        onChange={(event) => onCheck(event.target.checked)}
      />
      {children}
    </label>
  );
}

/** Ids of the texts that describe the fields of the form in the dialog that is open. */
export const FORM_HELP = 'form-help';
export const FORM_PROBLEM = 'form-problem';

interface DialogFormProps {
  /** The purpose of the form, above its fields. */
  readonly help?: ReactNode;
  /** Why it cannot be used as it is, below them. */
  readonly problem?: string | undefined;
  /** Text of the button that submits it. */
  readonly submit: string;
  readonly testId?: string;
  readonly disabled?: boolean;
  /** Another way out, between cancelling and the button that submits it. */
  readonly otherwise?: ReactNode;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form that fills a dialog. */
export function DialogForm(props: DialogFormProps): ReactNode {
  const { help, problem } = props;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {help !== undefined && (
        <p id={FORM_HELP} className="dialog-help">
          {help}
        </p>
      )}
      {props.children}
      {problem !== undefined && (
        <p id={FORM_PROBLEM} role="alert" className="dialog-problem wrong">
          {problem}
        </p>
      )}
      <div className="dialog-commands line wrap">
        <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>Cancel</Button>
        {props.otherwise}
        <button
          type="submit"
          ref={takesFocus}
          className="button button-primary"
          disabled={props.disabled}
          data-testid={props.testId}
        >
          {props.submit}
        </button>
      </div>
    </form>
  );
}

/** For `ref`: the dialog opens with the focus here. React's `autoFocus` focuses before the dialog is shown. */
export function takesFocus(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '');
}

/** For `ref`: with its text selected, so that typing replaces it. */
export function selectedWhenShown(element: HTMLInputElement | null): void {
  takesFocus(element);
  element?.select();
}
