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
import { useCall, useDateFormat, useMayWrite, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { type Row, states } from './flow.ts';
import '../views/views.css';
import './workflow.css';

const columnsOf = (moment: (at: string | null) => string): readonly Column<Row>[] => [
  { key: 'name', label: 'Name', width: 180, strong: true, cell: (row) => row.name },
  { key: 'family', label: 'Orders', width: 160, cell: (row) => families[row.family].label },
  { key: 'version', label: 'Version', width: 70, numeric: true, cell: (row) => String(row.version) },
  { key: 'status', label: 'Status', width: 110, cell: (row) => <State row={row} /> },
  { key: 'stages', label: 'Stages', cell: (row) => row.stages.map(({ name }) => name).join(' · ') || '–' },
  { key: 'running', label: 'Under way', width: 90, numeric: true, cell: (row) => String(row.running) },
  { key: 'by', label: 'By', width: 120, cell: (row) => row.publishedBy ?? row.author },
  { key: 'at', label: 'Published', width: 130, cell: (row) => moment(row.publishedAt) },
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
    <Button look="primary" title="Alt N" onClick={() => setMaking(true)}>
      New workflow
    </Button>
  );
  return (
    <Page fit>
      <PageHead title="Workflow management" count={data ? String(data.length) : undefined} actions={button} />
      <div className="filter-bar">
        <Segments
          label="Orders"
          choices={[
            { key: '', label: 'All' },
            ...familyNames.map((key) => ({ key: key as string, label: families[key].label })),
          ]}
          current={family ?? ''}
          onChange={(key) => go('Workflow Management', key ? { family: key } : {}, true)}
        />
      </div>
      {off.length > 0 && (
        <p className="note" data-tone="info">
          {off.map((name) => families[name].label).join(', ')}: published, and switched off in the{' '}
          <ScreenLink screen="General Configuration">general configuration</ScreenLink>. New orders start nothing.
        </p>
      )}
      <DataTable
        label="Workflows"
        columns={columnsOf((at) => (at ? showMoment(at, format) : '–'))}
        rows={data ?? []}
        rowKey={(row) => row.id}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(row) => go('Workflow', { id: row.id })}
        empty={
          <Empty
            sentence="No workflow yet: orders are continued as soon as they are posted"
            action={mayWrite ? <Button onClick={() => setMaking(true)}>New workflow</Button> : undefined}
          />
        }
        card={(row) => ({
          title: row.name,
          meta: `${families[row.family].label} · version ${row.version}`,
          amount: row.running > 0 ? `${row.running} under way` : '',
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
      title="For which orders is the workflow?"
      onClose={onClose}
      onSave={goOn}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" onClick={goOn}>
            {draft ? 'Open the draft' : 'Go on'}
          </Button>
        </>
      }
    >
      <div className="stack">
        <SelectField
          label="Orders"
          value={family}
          choices={familyNames.map((value) => ({ value, label: families[value].label }))}
          onChange={(value) => {
            if (isFamily(value)) setFamily(value);
            setTemplate('');
          }}
        />
        {draft ? (
          <p>
            Version {draft.version}, “{draft.name}”, is a draft already.
          </p>
        ) : (
          <SelectField
            label="Begin with"
            value={template}
            empty="Nothing"
            choices={templates[family].map(({ key, name }) => ({ value: key, label: name }))}
            help={chosen?.says ?? 'Every stage is written by yourself'}
            onChange={setTemplate}
          />
        )}
      </div>
    </Dialog>
  );
}
