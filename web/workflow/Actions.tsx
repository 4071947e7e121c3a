import { type FlowAction, MOST_ACTIONS, type Stage } from '../../domain/workflow/definition.ts';
import { Button, IconButton } from '../kit/Button.tsx';
import { ComboboxField } from '../kit/fields/Combobox.tsx';
import { Checkbox, SelectField, TextField } from '../kit/fields/fields.tsx';
import { Panel } from '../kit/parts.tsx';
import { type Problem, problemAt } from '../kit/server/api.ts';
import { t } from '../kit/text.ts';
import { usePick } from '../views/editor/searches.ts';
import { newAction } from './flow.ts';

interface ActionsProps {
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
  readonly problems: readonly Problem[];
  /** Names of the roles that stand in it. */
  readonly names: Readonly<Record<string, string>>;
  readonly editable: boolean;
  onName(id: string, name: string): void;
  onChange(actions: readonly FlowAction[]): void;
}

/** What leads from stage to stage, and who may. */
export function Actions({ stages, actions, problems, names, editable, onName, onChange }: ActionsProps) {
  const set = (row: number, more: Partial<FlowAction>) =>
    onChange(actions.map((action, at) => (at === row ? { ...action, ...more } : action)));
  const last = actions.at(-1);
  const add = () =>
    onChange([...actions, newAction(actions, last?.to ?? stages.find(({ start }) => start)?.key ?? '')]);
  return (
    <Panel
      title={t('Actions')}
      actions={
        editable &&
        stages.length > 1 &&
        actions.length < MOST_ACTIONS && <Button onClick={add}>{t('Add action')}</Button>
      }
    >
      {actions.length === 0 && <p className="muted">{t('An action brings an order from one stage to another.')}</p>}
      <ol className="flow-rows">
        {actions.map((action, row) => (
          <li key={action.key}>
            <fieldset className="flow-row">
              <legend className="hidden-text">{t('Action {{row}}', { row: row + 1 })}</legend>
              <OneAction
                action={action}
                stages={stages}
                names={names}
                editable={editable}
                at={(field) => problemAt(problems, `actions.${field}`, row)}
                row={row}
                onChange={(more) => set(row, more)}
                onName={onName}
                onRemove={() => onChange(actions.filter(({ key }) => key !== action.key))}
              />
            </fieldset>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The stages that an action lies between. */
const ends = [
  ['from', 'From'],
  ['to', 'To'],
] as const;

interface OneActionProps {
  readonly action: FlowAction;
  readonly stages: readonly Stage[];
  readonly names: Readonly<Record<string, string>>;
  readonly editable: boolean;
  readonly row: number;
  at(field: string): string | undefined;
  onChange(more: Partial<FlowAction>): void;
  onName(id: string, name: string): void;
  onRemove(): void;
}

function OneAction(props: OneActionProps) {
  const { action, stages, editable, row, at, onChange } = props;
  const choices = stages.map(({ key, name }, place) => ({
    value: key,
    label: name || t('Stage {{place}}', { place: place + 1 }),
  }));
  return (
    <>
      <div className="fields">
        <TextField
          label={t('Action')}
          name={`actions.label.${row}`}
          required
          maxLength={40}
          readOnly={!editable}
          value={action.label}
          error={at('label')}
          onChange={(label) => onChange({ label })}
        />
        {ends.map(([end, label]) => (
          <SelectField
            key={end}
            label={t(label)}
            required
            empty={t('Choose')}
            disabled={!editable}
            choices={choices}
            value={action[end]}
            error={at(end)}
            onChange={(stage) => onChange({ [end]: stage })}
          />
        ))}
        <Roles {...props} />
      </div>
      {editable ? <Questions {...props} /> : <QuestionsShown action={action} />}
    </>
  );
}

/** The roles whose people may do it. */
function Roles({ action, names, editable, at, onChange, onName }: OneActionProps) {
  const search = usePick('role');
  const remove = (role: string) => onChange({ roles: action.roles.filter((each) => each !== role) });
  return (
    <div className="picks">
      {editable && (
        <ComboboxField
          label={t('Roles that may')}
          required
          value={null}
          search={search}
          placeholder={t('Add')}
          error={at('roles')}
          onChange={(option) => {
            if (!option || action.roles.includes(option.id)) return;
            onName(option.id, option.name);
            onChange({ roles: [...action.roles, option.id] });
          }}
        />
      )}
      {!editable && <span className="field-label">{t('Roles that may')}</span>}
      <ul aria-label={t('Roles that may {{label}}', { label: t(action.label) })}>
        {action.roles.map((role) => (
          <li key={role}>
            <span className="flow-role">{names[role] ?? t('Role')}</span>
            {editable && (
              <IconButton
                label={t('Remove {{names}}', { names: names[role] ?? t('role') })}
                onClick={() => remove(role)}
              >
                ×
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is asked of somebody who does it. */
function Questions({ action, row, onChange, onRemove }: OneActionProps) {
  return (
    <>
      <div className="flow-checks">
        <Checkbox
          label={t('A comment is needed')}
          checked={action.needsComment}
          onChange={(needsComment) => onChange({ needsComment })}
        />
        <Checkbox
          label={t('Turns the order away')}
          help={t('Shown in red; the order is not affected')}
          checked={action.destructive}
          onChange={(destructive) => onChange({ destructive })}
        />
      </div>
      <div className="fields">
        <TextField
          label={t('Asked before it is done')}
          span={2}
          maxLength={200}
          value={action.confirmText}
          help={t('Empty: no check')}
          onChange={(confirmText) => onChange({ confirmText })}
        />
        <div className="flow-shown">
          <Button
            look="subtle"
            onClick={onRemove}
            aria-label={t('Remove action {{label}}', { label: t(action.label) || row + 1 })}
          >
            {t('Remove')}
          </Button>
        </div>
      </div>
    </>
  );
}

function QuestionsShown({ action }: { readonly action: FlowAction }) {
  const said = [
    action.needsComment && t('A comment is needed'),
    action.destructive && t('Turns the order away'),
    action.confirmText && `Asks: ${action.confirmText}`,
  ];
  return <p className="muted">{said.filter(Boolean).join(' · ')}</p>;
}
