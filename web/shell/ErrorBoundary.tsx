import { Component, type ReactNode } from 'react';
import { Button } from '../kit/Button.tsx';
import { isReached, onReach } from '../kit/reach.ts';

interface State {
  readonly failed: boolean;
}

/** Keeps the shell alive when a screen fails to draw. React offers this only to classes. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false };
  static getDerivedStateFromError(): State {
    return { failed: true };
  }
  private stop: (() => void) | undefined;
  /** What failed for want of the connection is drawn again when it is back. */
  override componentDidMount() {
    this.stop = onReach(() => {
      if (isReached() && this.state.failed) this.setState({ failed: false });
    });
  }
  override componentWillUnmount() {
    this.stop?.();
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    if (!isReached() || !navigator.onLine)
      return (
        <div className="page" role="alert">
          <h1>No connection</h1>
          <p>This screen could not be loaded. It opens by itself when the connection is back.</p>
        </div>
      );
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
