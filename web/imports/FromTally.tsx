import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_IMPORTED } from '../../contract/import-steps.ts';
import { importableOf } from '../../contract/importable.ts';
import { tallyOrder } from '../../domain/imports/tally/order.ts';
import { Button } from '../kit/Button.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { Field } from '../kit/fields/fields.tsx';
import { useGo } from '../kit/navigation.tsx';
import { ErrorPanel, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { ImportState } from './Imports.tsx';
import { type ImportView, sendFile } from './steps.ts';
import { useImportable } from './useImportable.ts';

/** The file is chosen once, and sent for each sort of record. */
let chosen: File | undefined;

/** What somebody may bring in from a Tally file, in order. */
const useTallyOrder = (): readonly string[] => {
  const importable = useImportable();
  return tallyOrder.filter((name) => importable.includes(name));
};

/** Sends the chosen file for a sort of record and opens its import. */
function useBegin() {
  const go = useGo();
  const [sent, setSent] = useState(0);
  const { busy, error, run } = useRun();
  const begin = (master: string) => {
    const file = chosen;
    if (!file) return;
    setSent(0);
    void run(
      () => sendFile(master, { name: file.name, blob: file, pasted: false }, setSent),
      (id) => go('FileImportNew', { master, id }),
    );
  };
  return { begin, busy, error, sent };
}

/** The masters and opening balances of a company in Tally, from one file, step by step. */
export function FromTally() {
  const order = useTallyOrder();
  const [file, setFile] = useState(chosen);
  const { begin, busy, error, sent } = useBegin();
  const { data } = useQuery({ queryKey: useScreenKey('imports', 'tally'), queryFn: () => api.ListImports({}) });
  const stateOf = (master: string): ImportView | undefined =>
    data?.rows.find((row) => row.master === master && row.name === file?.name && row.state !== 'cancelled');
  const isTooLarge = (file?.size ?? 0) > MOST_IMPORTED;
  if (order.length === 0) return null;
  return (
    <Panel title={t('From Tally')}>
      <div className="import-step">
        <p className="muted">
          {t(
            'In Tally: Export, Masters, type of master “All Masters”, with dependent masters, file format XML. To move at a change of ' +
              'year, export closing balances as opening balances. Choose the file once; each step below takes its part of it.',
          )}
        </p>
        <Field
          label={t('Masters of Tally (XML, up to 200 MB)')}
          {...(isTooLarge && { error: t('The file is larger than 200 MB') })}
        >
          {(facts) => (
            <input
              {...facts}
              className="input"
              type="file"
              accept=".xml,text/xml,application/xml"
              onChange={(event) => {
                chosen = event.target.files?.[0] ?? chosen;
                setFile(chosen);
              }}
            />
          )}
        </Field>
        {file && <p>{t('Chosen: {{name}}', { name: file.name })}</p>}
        {error !== null && <ErrorPanel error={error} />}
        {busy && <progress aria-label={t('Sent')} value={sent} max={1} />}
        {file && (
          <ol className="import-masters">
            {order.map((name) => {
              const label = t(importableOf(name)?.plural) ?? name;
              const begun = stateOf(name);
              return (
                <li key={name}>
                  <strong>{label}</strong>
                  <span className="import-actions">
                    {begun && <ImportState state={begun.state} />}
                    <Button
                      busy={busy}
                      disabled={isTooLarge}
                      aria-label={t('Read {{label}} from the file', { label })}
                      onClick={() => begin(name)}
                    >
                      {t('Read')}
                    </Button>
                  </span>
                </li>
              );
            })}
          </ol>
        )}
      </div>
    </Panel>
  );
}

/** Behind an import from a Tally file that is over: the next part of the file. */
export function NextFromTally({ found: { master, name, state } }: { readonly found: ImportView }) {
  const order = useTallyOrder();
  const { begin, busy } = useBegin();
  const next = order[order.indexOf(master) + 1];
  if (chosen?.name !== name || next === undefined || !['done', 'failed'].includes(state) || !order.includes(master))
    return null;
  return (
    <Button look="primary" busy={busy} onClick={() => begin(next)}>
      {t('Next from Tally: {{label}}', { label: t(importableOf(next)?.plural) ?? next })}
    </Button>
  );
}
