import { Component, type ReactNode } from 'react';
import { Button } from '../kit/Button.tsx';
import { isReached, onReach, tryToReach } from '../kit/server/connectivity.ts';
import { t } from '../kit/text.ts';

interface State {
  readonly failed: boolean;
  /** The code of the screen could not be fetched: that is no fault of the program. */
  readonly unfetched: boolean;
}

const isUnfetched = (error: unknown): boolean =>
  !isReached() || (error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message));

/** Keeps the shell alive when a screen fails to draw. React offers this only to classes. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false, unfetched: false };
  private stop: (() => void) | undefined;
  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, unfetched: isUnfetched(error) };
  }
  override componentDidCatch() {
    if (this.state.unfetched) void tryToReach();
  }
  /** A browser that could not fetch a module does not ask for it again in the same page. */
  override componentDidMount() {
    this.stop = onReach(() => {
      if (isReached() && this.state.unfetched) window.location.reload();
    });
  }
  override componentWillUnmount() {
    this.stop?.();
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.state.unfetched)
      return (
        <div className="page" role="alert">
          <h1>{t('No connection')}</h1>
          <p>{t('This screen could not be loaded. It opens by itself when the connection is back.')}</p>
          <div>
            <Button onClick={() => window.location.reload()}>{t('Reload the page')}</Button>
          </div>
        </div>
      );
    return (
      <div className="page" role="alert">
        <h1>{t('Error....')}</h1>
        <p>{t('This screen could not be shown. Saved data is safe.')}</p>
        <div>
          <Button onClick={() => window.location.reload()}>{t('Reload the page')}</Button>
        </div>
      </div>
    );
  }
}
