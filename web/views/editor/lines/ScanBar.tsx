import { useRef, useState } from 'react';
import { useKeys } from '../../../kit/hotkeys.ts';
import { t } from '../../../kit/text.ts';
import type { ScanResult } from './scan.ts';

/** Where a scanner types when no cell has the focus: each code is one more line or one more piece. Alt K goes there. */
export function ScanBar({ result, onScan }: { readonly result: ScanResult | null; onScan(code: string): void }) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useKeys({ 'alt+k': () => input.current?.focus() });
  return (
    <div className="scan-bar">
      <label className="field-label" htmlFor="scan">
        {t('Scan')}
      </label>
      <input
        ref={input}
        id="scan"
        className="input"
        data-passed="true"
        autoComplete="off"
        placeholder={t('Barcode')}
        title={t('Alt K')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !typed.trim()) return;
          event.preventDefault();
          event.stopPropagation();
          onScan(typed);
          setTyped('');
        }}
      />
      <span role="status" className={result?.known === false ? 'field-error' : 'muted'}>
        {t(result?.says)}
      </span>
    </div>
  );
}
