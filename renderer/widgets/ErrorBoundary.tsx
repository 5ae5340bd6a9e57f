import { Component, type ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

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
