import { Component, type ReactNode } from 'react';
import { Button } from '../kit/Button.tsx';

interface State {
  readonly failed: boolean;
}

/** Keeps the shell alive when a screen fails to draw. React offers this only to classes. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };
  static getDerivedStateFromError(): State {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page" role="alert">
        <h1>Error....</h1>
        <p>This screen could not be shown. What was saved is safe.</p>
        <div>
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
        </div>
      </div>
    );
  }
}
