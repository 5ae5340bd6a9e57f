import { Component, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import './empty-state.css';

interface EmptyStateProps {
  readonly title: string;
  /** An explanation of a sentence or two. */
  readonly text?: string | undefined;
  /** The file. */
  readonly where?: string | undefined;
  readonly action?: { readonly text: string; readonly run: () => void } | undefined;
  /** The reasons, collapsed at first. */
  readonly reasons?: readonly { readonly name: string; readonly because: string }[] | undefined;
  /** An error: announced by screen readers at once. */
  readonly isProblem?: boolean | undefined;
}

/** Shown in place of missing content: what, where, and what can be done. */
export function EmptyState(props: EmptyStateProps): ReactNode {
  const { title, text, where, action, reasons = [] } = props;
  return (
    <div className="empty-state" role={props.isProblem === true ? 'alert' : 'status'}>
      <div className="empty-column">
        <strong>{title}</strong>
        {text !== undefined && <p>{text}</p>}
        {where !== undefined && <p className="empty-where">{where}</p>}
        {action !== undefined && (
          <Button className="empty-action" testId="empty-action" onClick={action.run}>
            {action.text}
          </Button>
        )}
        {reasons.length > 0 && (
          <details data-testid="why">
            <summary>Why?</summary>
            <ul className="bullets">
              {reasons.map(({ name, because }) => (
                <li key={name}>
                  <b>{name}:</b> {because}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}

interface ErrorBoundaryProps {
  readonly what: string;
  readonly children: ReactNode;
}

/** Limits a rendering error to one part of the window, and reports it there. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <EmptyState
        title={`${this.props.what} cannot be shown`}
        text={this.state.error.message}
        action={{ text: 'Try again', run: () => this.setState({ error: undefined }) }}
        isProblem
      />
    );
  }
}
