import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly what: string;
  readonly children: ReactNode;
}

/** Keeps a failure of ours inside the part of the window where it happened, and says so there. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="pane-empty" role="alert">
        <strong>{this.props.what} cannot be shown</strong>
        <span>{this.state.error.message}</span>
        <button type="button" className="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
