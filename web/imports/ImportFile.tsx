import { useState } from 'react';
import { MOST_IMPORTED } from '../../contract/import-steps.ts';
import { importableOf } from '../../contract/importable.ts';
import { Button } from '../kit/Button.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { Field, SelectField, TextArea } from '../kit/fields/fields.tsx';
import { ErrorPanel, Panel } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';
import { sendFile } from './steps.ts';
import { useImportable } from './useImportable.ts';

interface Props {
  readonly master: string;
  onBegun(master: string, id: string): void;
}

/** The first step: what is imported, and from which file or pasted cells. */
export function ImportFile({ master: asked, onBegun }: Props) {
  const importable = useImportable();
  const [master, setMaster] = useState(asked);
  const [file, setFile] = useState<File | undefined>();
  const [pasted, setPasted] = useState('');
  const [sent, setSent] = useState(0);
  const { busy, error, run } = useRun();
  const isTooLarge = (file?.size ?? 0) > MOST_IMPORTED;
  const isReady = master !== '' && !isTooLarge && (file !== undefined || pasted.trim() !== '');
  const given = file
    ? { name: file.name, blob: file, pasted: false }
    : { name: t('Pasted cells'), blob: new Blob([pasted]), pasted: true };
  const begin = () =>
    void run(
      () => sendFile(master, given, setSent),
      (id) => onBegun(master, id),
    );
  return (
    <Panel title={t('File')}>
      <div className="import-step">
        <div className="fields">
          <SelectField
            label={t('What')}
            span={2}
            value={master}
            choices={importable.map((name) => ({ value: name, label: importableOf(name)?.plural ?? name }))}
            onChange={setMaster}
          />
          <Field
            label={t('File (CSV, XLSX or XML of Tally, up to 200 MB)')}
            span={2}
            {...(isTooLarge && { error: t('The file is larger than 200 MB') })}
          >
            {(facts) => (
              <input
                {...facts}
                className="input"
                type="file"
                accept=".csv,.txt,.tsv,.xlsx,.xml,text/csv,text/plain,text/xml"
                onChange={(event) => setFile(event.target.files?.[0])}
              />
            )}
          </Field>
        </div>
        <TextArea
          label={t('Or paste cells with their headings')}
          rows={8}
          value={pasted}
          onChange={setPasted}
          {...(file !== undefined && { readOnly: true })}
        />
        {error !== null && <ErrorPanel error={error} />}
        <div className="import-actions">
          <Button look="primary" busy={busy} disabled={!isReady} onClick={begin}>
            {t('Read it')}
          </Button>
          {busy && <progress aria-label={t('Sent')} value={sent} max={1} />}
        </div>
      </div>
    </Panel>
  );
}
