import { useState } from 'react';
import { type FlowFamily, families, familyNames, isFamily } from '../../domain/workflow/families.ts';
import { templates } from '../../domain/workflow/templates.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { SelectField } from '../kit/fields/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead, Segments } from '../kit/parts.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { useCall, useDateFormat, useMayWrite, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { type Row, states } from './flow.ts';
import '../views/views.css';
import './workflow.css';

const columnsOf = (moment: (at: string | null) => string): readonly Column<Row>[] => [
  { key: 'name', label: t('Name'), width: 180, strong: true, cell: (row) => row.name },
  { key: 'family', label: t('Orders'), width: 160, cell: (row) => families[row.family].label },
  { key: 'version', label: t('Version'), width: 70, numeric: true, cell: (row) => String(row.version) },
  { key: 'status', label: t('Status'), width: 110, cell: (row) => <State row={row} /> },
  { key: 'stages', label: t('Stages'), cell: (row) => row.stages.map(({ name }) => name).join(' · ') || '–' },
  { key: 'running', label: t('Under way'), width: 90, numeric: true, cell: (row) => String(row.running) },
  { key: 'by', label: t('By'), width: 120, cell: (row) => row.publishedBy ?? row.author },
  { key: 'at', label: t('Published'), width: 130, cell: (row) => moment(row.publishedAt) },
];

function State({ row }: { readonly row: Row }) {
  const [word, tone] = states[row.status];
  return <Badge word={word} tone={tone} />;
}

/** The definitions of workflows with their versions: what orders go through before anything is made from them. */
export function Workflows() {
  const go = useGo();
  const { settings } = useSession();
  const { format } = useDateFormat();
  const mayWrite = useMayWrite('Workflow Management');
  const asked = useAddress()['family'] ?? '';
  const family = isFamily(asked) ? asked : undefined;
  const [making, setMaking] = useState(false);
  const { data, error, isPending, refetch } = useCall<Row[]>(
    'workflow/GetWorkFlows',
    family ? { TransactionType: family } : {},
  );
  useKeys(mayWrite ? { 'alt+n': () => setMaking(true) } : {});
  const off = familyNames.filter(
    (name) =>
      settings[families[name].flag] !== true && data?.some((row) => row.family === name && row.status === 'published'),
  );
  const button = mayWrite && (
    <Button look="primary" title={t('Alt N')} onClick={() => setMaking(true)}>
      {t('New workflow')}
    </Button>
  );
  return (
    <Page fit>
      <PageHead title={t('Workflow management')} count={data ? String(data.length) : undefined} actions={button} />
      <div className="filter-bar">
        <Segments
          label={t('Orders')}
          choices={[
            { key: '', label: t('All') },
            ...familyNames.map((key) => ({ key: key as string, label: t(families[key].label) })),
          ]}
          current={family ?? ''}
          onChange={(key) => go('Workflow Management', key ? { family: key } : {}, true)}
        />
      </div>
      {off.length > 0 && (
        <p className="note" data-tone="info">
          <Sentence
            text="{{off}}: published, but switched off in the <screenlink>general configuration</screenlink>. New orders do not start it."
            values={{
              off: off.map((name) => families[name].label).join(', '),
              screenlink: (text) => <ScreenLink screen="General Configuration">{text}</ScreenLink>,
            }}
          />
        </p>
      )}
      <DataTable
        label={t('Workflows')}
        columns={columnsOf((at) => (at ? showMoment(at, format) : '–'))}
        rows={data ?? []}
        rowKey={(row) => row.id}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(row) => go('Workflow', { id: row.id })}
        empty={
          <Empty
            sentence={t('No workflow yet: orders are continued as soon as they are posted')}
            action={mayWrite ? <Button onClick={() => setMaking(true)}>{t('New workflow')}</Button> : undefined}
          />
        }
        card={(row) => ({
          title: row.name,
          meta: t('{{label}} · version {{version}}', { label: t(families[row.family].label), version: row.version }),
          amount: row.running > 0 ? t('{{running}} under way', { running: row.running }) : '',
          badge: <State row={row} />,
        })}
      />
      {making && <NewWorkflow family={family} versions={data ?? []} onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** For which orders, and from which template: the rest is written on the screen of the workflow. */
function NewWorkflow({
  family: given,
  versions,
  onClose,
}: {
  readonly family: FlowFamily | undefined;
  readonly versions: readonly Row[];
  onClose(): void;
}) {
  const go = useGo();
  const [family, setFamily] = useState<FlowFamily>(given ?? 'saleOrders');
  const [template, setTemplate] = useState('');
  const chosen = templates[family].find(({ key }) => key === template);
  const draft = versions.find((row) => row.family === family && row.status === 'draft');
  const goOn = () => go('Workflow', draft ? { id: draft.id } : { family, ...(template && { template }) });
  return (
    <Dialog
      open
      title={t('For which orders is the workflow?')}
      onClose={onClose}
      onSave={goOn}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" onClick={goOn}>
            {draft ? t('Open the draft') : t('Go on')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <SelectField
          label={t('Orders')}
          value={family}
          choices={familyNames.map((value) => ({ value, label: t(families[value].label) }))}
          onChange={(value) => {
            if (isFamily(value)) setFamily(value);
            setTemplate('');
          }}
        />
        {draft ? (
          <p>
            {t('Version {{version}}, “{{name}}”, is a draft already.', { version: draft.version, name: draft.name })}
          </p>
        ) : (
          <SelectField
            label={t('Begin with')}
            value={template}
            empty={t('Nothing')}
            choices={templates[family].map(({ key, name }) => ({ value: key, label: name }))}
            help={t(chosen?.says) ?? t('Every stage is written by yourself')}
            onChange={setTemplate}
          />
        )}
      </div>
    </Dialog>
  );
}
