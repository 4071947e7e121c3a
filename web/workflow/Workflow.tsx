import { useState } from 'react';
import type { Definition } from '../../domain/workflow/definition.ts';
import { type FlowFamily, families, isFamily } from '../../domain/workflow/families.ts';
import { templates } from '../../domain/workflow/templates.ts';
import { Button } from '../kit/Button.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { TextField } from '../kit/fields/fields.tsx';
import { showMoment } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { ActionBar, Badge, Empty, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { useCall, useDateFormat, useMayWrite } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { Actions } from './Actions.tsx';
import { states, type View } from './flow.ts';
import { Stages } from './Stages.tsx';
import { useWriting } from './useWriting.tsx';
import '../views/views.css';
import './workflow.css';

/** One version of a workflow: written as a draft, published, or looked at. `from`: a version that a new one begins with. */
export function Workflow() {
  const { id, from, family, template } = useAddress();
  const go = useGo();
  const known = id ?? from;
  const { data, error, refetch } = useCall<View>(
    'workflow/GetWorkFlowDefinitionById',
    { id: known },
    known !== undefined,
  );
  if (known === undefined && (family === undefined || !isFamily(family)))
    return (
      <Page narrow>
        <PageHead title={t('Workflow')} />
        <Empty
          sentence={t('Choose a workflow')}
          action={<Button onClick={() => go('Workflow Management')}>{t('Workflow management')}</Button>}
        />
      </Page>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (known !== undefined) {
    if (data?.id !== known) return <Skeleton />;
    return (
      <Written
        key={`${known}${id ? '' : 'new'}`}
        stored={id ? data : undefined}
        family={data.family}
        begin={data}
        names={data.roleNames}
      />
    );
  }
  const chosen = templates[family as FlowFamily].find(({ key }) => key === template);
  const begin = chosen ?? { name: '', stages: [], actions: [] };
  return (
    <Written key={`${family}${template}`} stored={undefined} family={family as FlowFamily} begin={begin} names={{}} />
  );
}

interface WrittenProps {
  readonly stored: View | undefined;
  readonly family: FlowFamily;
  readonly begin: Definition;
  readonly names: Readonly<Record<string, string>>;
}

function Written({ stored, family, begin, names }: WrittenProps) {
  const go = useGo();
  const mayWrite = useMayWrite('Workflow Management');
  const writing = useWriting({ stored, family, begin, names, mayWrite });
  const { typed, version, problems, error, editable, isDraft, keep } = writing;
  useKeys(editable ? { 'ctrl+s': () => void keep() } : {});
  const [word, tone] = states[version?.status ?? 'draft'];
  return (
    <>
      <Page narrow>
        <PageHead
          title={typed.name || t('New workflow')}
          count={`${t(families[family].label)}${version ? ` · ${t('version {{version}}', { version: version.version })}` : ''}`}
          beside={version && <Badge word={word} tone={tone} />}
          actions={
            mayWrite &&
            version &&
            !isDraft && (
              <Button onClick={() => go('Workflow', { from: version.id })}>{t('Change as a new version')}</Button>
            )
          }
        />
        <Standing writing={writing} />
        {error != null && <ErrorPanel error={error} />}
        <WholeProblems writing={writing} />
        <Panel title={t('Workflow')}>
          <div className="fields">
            <TextField
              label={t('Name')}
              name="name"
              required
              span={2}
              maxLength={60}
              readOnly={!editable}
              value={typed.name}
              error={problems.find(({ field }) => field === 'name')?.message}
              onChange={(name) => writing.change({ name })}
            />
          </div>
        </Panel>
        <Stages
          family={family}
          stages={typed.stages}
          actions={typed.actions}
          problems={problems}
          editable={editable}
          onChange={writing.change}
        />
        <Actions
          stages={typed.stages}
          actions={typed.actions}
          problems={problems}
          names={writing.known}
          onName={writing.name}
          editable={editable}
          onChange={(actions) => writing.change({ actions })}
        />
      </Page>
      {mayWrite && (isDraft || version?.status === 'published') && <Ending writing={writing} />}
      {writing.dialog}
    </>
  );
}

interface PartProps {
  readonly writing: ReturnType<typeof useWriting>;
}

/** Whether a version was published and how many orders follow it; what is typed over one that has ended becomes a new one. */
function Standing({ writing: { version, ended, isDraft } }: PartProps) {
  const { format } = useDateFormat();
  return (
    <>
      {version && !isDraft && (
        <p className="muted">
          {version.publishedAt
            ? t('Published by {{publishedBy}} on {{publishedAt}}.', {
                publishedBy: version.publishedBy,
                publishedAt: showMoment(version.publishedAt, format),
              })
            : t('Never published.')}{' '}
          {version.running === 0
            ? t('No order is under way on it.')
            : plural(
                version.running,
                '{{count}} order is under way on it and stays on it.',
                '{{count}} orders are under way on it and stay on it.',
              )}
        </p>
      )}
      {ended && (
        <p className="muted" role="status">
          {t('Version {{version}} is no longer a draft ({{states}}): your changes become a new version.', {
            version: ended.version,
            states: states[ended.status][0].toLowerCase(),
          })}
        </p>
      )}
    </>
  );
}

/** What is wrong with all of it, and belongs to no field. */
function WholeProblems({ writing: { whole } }: PartProps) {
  if (whole.length === 0) return null;
  return (
    <div className="error-panel" role="alert" tabIndex={-1}>
      <ul>
        {whole.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

/** Saves, publishes or cancels a version; cancelling asks first. */
function Ending({ writing }: PartProps) {
  const { version, isDraft, busy } = writing;
  const [cancelling, setCancelling] = useState(false);
  return (
    <>
      <ActionBar>
        {version && (
          <Button look="danger" onClick={() => setCancelling(true)}>
            {t('Cancel')}
          </Button>
        )}
        {isDraft && (
          <>
            <Button busy={busy} disabled={!writing.dirty} title={t('Ctrl S')} onClick={() => void writing.keep()}>
              {version ? t('Update') : t('Save as Draft')}
            </Button>
            <Button look="primary" busy={busy} onClick={writing.publish}>
              {t('Publish')}
            </Button>
          </>
        )}
      </ActionBar>
      <Confirm
        open={cancelling}
        question={isDraft ? t('Give this draft up?') : t('Cancel {{name}}?', { name: version?.name })}
        consequence={
          isDraft
            ? t('It is kept among the versions and can be begun with again.')
            : t('Orders posted from now on go through no stages. Those that are under way go on to their end.')
        }
        verb={isDraft ? t('Give up') : t('Cancel workflow')}
        onConfirm={() => {
          setCancelling(false);
          void writing.cancel();
        }}
        onClose={() => setCancelling(false)}
      />
    </>
  );
}
