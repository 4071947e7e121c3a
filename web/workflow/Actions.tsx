import { type FlowAction, MOST_ACTIONS, type Stage, type Wrong } from '../../domain/workflow/definition.ts';
import { Button, IconButton } from '../kit/Button.tsx';
import { ComboboxField } from '../kit/fields/Combobox.tsx';
import { Checkbox, SelectField, TextField } from '../kit/fields/fields.tsx';
import { Panel } from '../kit/parts.tsx';
import { problemAt } from '../kit/server/api.ts';
import { usePick } from '../views/editor/searches.ts';
import { newAction } from './flow.ts';

/** What leads from stage to stage, and who may. */
export function Actions({
  stages,
  actions,
  problems,
  names,
  editable,
  onName,
  onChange,
}: {
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
  readonly problems: readonly Wrong[];
  /** Names of the roles that stand in it. */
  readonly names: Readonly<Record<string, string>>;
  readonly editable: boolean;
  onName(id: string, name: string): void;
  onChange(actions: readonly FlowAction[]): void;
}) {
  const set = (row: number, more: Partial<FlowAction>) =>
    onChange(actions.map((action, at) => (at === row ? { ...action, ...more } : action)));
  const last = actions.at(-1);
  const add = () =>
    onChange([...actions, newAction(actions, last?.to ?? stages.find(({ start }) => start)?.key ?? '')]);
  return (
    <Panel
      title="Actions"
      actions={
        editable && stages.length > 1 && actions.length < MOST_ACTIONS && <Button onClick={add}>Add action</Button>
      }
    >
      {actions.length === 0 && <p className="muted">An action brings an order from one stage to another.</p>}
      <ol className="flow-rows">
        {actions.map((action, row) => (
          <li key={action.key}>
            <fieldset className="flow-row">
              <legend className="hidden-text">Action {row + 1}</legend>
              <One
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

function One({
  action,
  stages,
  names,
  editable,
  row,
  at,
  onChange,
  onName,
  onRemove,
}: {
  readonly action: FlowAction;
  readonly stages: readonly Stage[];
  readonly names: Readonly<Record<string, string>>;
  readonly editable: boolean;
  readonly row: number;
  at(field: string): string | undefined;
  onChange(more: Partial<FlowAction>): void;
  onName(id: string, name: string): void;
  onRemove(): void;
}) {
  const search = usePick('role');
  const choices = stages.map(({ key, name }, place) => ({ value: key, label: name || `Stage ${place + 1}` }));
  const remove = (role: string) => onChange({ roles: action.roles.filter((each) => each !== role) });
  return (
    <>
      <div className="fields">
        <TextField
          label="Action"
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
            label={label}
            required
            empty="Choose"
            disabled={!editable}
            choices={choices}
            value={action[end]}
            error={at(end)}
            onChange={(stage) => onChange({ [end]: stage })}
          />
        ))}
        <div className="picks">
          {editable && (
            <ComboboxField
              label="Roles that may"
              required
              value={null}
              search={search}
              placeholder="Add"
              error={at('roles')}
              onChange={(option) => {
                if (!option || action.roles.includes(option.id)) return;
                onName(option.id, option.name);
                onChange({ roles: [...action.roles, option.id] });
              }}
            />
          )}
          {!editable && <span className="field-label">Roles that may</span>}
          <ul aria-label={`Roles that may ${action.label}`}>
            {action.roles.map((role) => (
              <li key={role}>
                <span className="flow-role">{names[role] ?? 'Role'}</span>
                {editable && (
                  <IconButton label={`Remove ${names[role] ?? 'role'}`} onClick={() => remove(role)}>
                    ×
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
        </div>
      </div>
      {editable ? (
        <>
          <div className="flow-checks">
            <Checkbox
              label="A comment is needed"
              checked={action.needsComment}
              onChange={(needsComment) => onChange({ needsComment })}
            />
            <Checkbox
              label="Turns the order away"
              help="In red; nothing is asked of the order"
              checked={action.destructive}
              onChange={(destructive) => onChange({ destructive })}
            />
          </div>
          <div className="fields">
            <TextField
              label="Asked before it is done"
              span={2}
              maxLength={200}
              value={action.confirmText}
              help="Empty: nothing is asked"
              onChange={(confirmText) => onChange({ confirmText })}
            />
            <div className="flow-shown">
              <Button look="subtle" onClick={onRemove} aria-label={`Remove action ${action.label || row + 1}`}>
                Remove
              </Button>
            </div>
          </div>
        </>
      ) : (
        <p className="muted">
          {[
            action.needsComment && 'A comment is needed',
            action.destructive && 'Turns the order away',
            action.confirmText && `Asks: ${action.confirmText}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </>
  );
}
