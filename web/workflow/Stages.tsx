import { type Definition, MOST_STAGES, type Stage, stageColours } from '../../domain/workflow/definition.ts';
import { askableFields, type FlowFamily, facts, families } from '../../domain/workflow/families.ts';
import { fieldsIn } from '../../domain/workflow/orders.ts';
import { Button } from '../kit/Button.tsx';
import { Checkbox, NumberField, SelectField, TextField } from '../kit/fields/fields.tsx';
import { Badge, Panel } from '../kit/parts.tsx';
import { type Problem, problemAt } from '../kit/server/api.ts';
import { t } from '../kit/text.ts';
import { newStage } from './flow.ts';

const colours = stageColours.map(([value, label]) => ({ value, label }));
const withOne = <T,>(all: readonly T[], one: T, on: boolean): readonly T[] =>
  on ? [...all.filter((each) => each !== one), one] : all.filter((each) => each !== one);

/** The stages of a workflow, one below the other; taking one away takes the actions from and to it along. */
export function Stages({
  family,
  stages,
  actions,
  problems,
  editable,
  onChange,
}: Pick<Definition, 'stages' | 'actions'> & {
  readonly family: FlowFamily;
  readonly problems: readonly Problem[];
  readonly editable: boolean;
  onChange(more: Partial<Definition>): void;
}) {
  const set = (row: number, more: Partial<Stage>) =>
    onChange({
      stages: stages.map((stage, at) =>
        at === row ? { ...stage, ...more } : more.start ? { ...stage, start: false } : stage,
      ),
    });
  const remove = ({ key }: Stage) =>
    onChange({
      stages: stages.filter((stage) => stage.key !== key),
      actions: actions.filter(({ from, to }) => from !== key && to !== key),
    });
  const add = () => onChange({ stages: [...stages, newStage(stages)] });
  return (
    <Panel
      title={t('Stages')}
      actions={editable && stages.length < MOST_STAGES && <Button onClick={add}>{t('Add stage')}</Button>}
    >
      {stages.length === 0 && (
        <p className="muted">{t('Orders go from stage to stage. Add the one at which they start.')}</p>
      )}
      <ol className="flow-rows">
        {stages.map((stage, row) => (
          <li key={stage.key}>
            <fieldset className="flow-row">
              <legend className="hidden-text">{t('Stage {{row}}', { row: row + 1 })}</legend>
              <One
                family={family}
                stage={stage}
                row={row}
                problems={problems}
                editable={editable}
                onChange={(more) => set(row, more)}
                onRemove={() => remove(stage)}
              />
            </fieldset>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function One({
  family,
  stage,
  row,
  problems,
  editable,
  onChange,
  onRemove,
}: {
  readonly family: FlowFamily;
  readonly stage: Stage;
  readonly row: number;
  readonly problems: readonly Problem[];
  readonly editable: boolean;
  onChange(more: Partial<Stage>): void;
  onRemove(): void;
}) {
  const at = (field: string) => problemAt(problems, `stages.${field}`, row);
  const marks = at('start') ?? at('end') ?? at('onward') ?? at('approval');
  return (
    <>
      <div className="fields">
        <TextField
          label={t('Stage')}
          name={`stages.name.${row}`}
          required
          maxLength={40}
          readOnly={!editable}
          value={stage.name}
          error={at('name')}
          onChange={(name) => onChange({ name })}
        />
        <SelectField
          label={t('Colour')}
          value={stage.colour}
          choices={colours}
          disabled={!editable}
          onChange={(value) => onChange({ colour: stageColours.find(([tone]) => tone === value)?.[0] ?? 'neutral' })}
        />
        <NumberField
          label={t('Due after (hours)')}
          places={0}
          readOnly={!editable}
          value={stage.slaHours === null ? '' : String(stage.slaHours)}
          error={at('slaHours')}
          help={editable ? t('Empty: no limit') : undefined}
          onChange={(text) => onChange({ slaHours: /^\d{1,5}$/.test(text) ? Number(text) : null })}
        />
        <div className="flow-shown">
          <Badge word={stage.name || 'Stage'} tone={stage.colour} />
          {editable && (
            <Button
              look="subtle"
              onClick={onRemove}
              aria-label={t('Remove stage {{name}}', { name: stage.name || row + 1 })}
            >
              {t('Remove')}
            </Button>
          )}
        </div>
      </div>
      {editable ? (
        <Marks family={family} stage={stage} problem={marks} at={at} onChange={onChange} />
      ) : (
        <p className="muted">{conditionsOf(stage) || t('On the way')}</p>
      )}
    </>
  );
}

/** What is ticked of a stage, as a sentence for who only looks. */
const conditionsOf = (stage: Stage): string =>
  [
    stage.start && t('Orders start here'),
    stage.end && t('Orders end here'),
    stage.onward && t('Documents may be made from the order'),
    stage.fields.length + stage.facts.length + Number(stage.approval) > 0 &&
      t('Before it is left: {{value}}', {
        value: [
          ...(stage.approval ? [t('Another user approves')] : []),
          ...stage.facts.map((name) => facts[name].label),
          ...stage.fields.map((name) => t('{{name}} is filled', { name: fieldWord(name) })),
        ]
          .join(', ')
          .toLowerCase(),
      }),
  ]
    .filter(Boolean)
    .join(' · ');

const fieldWord = (name: string): string => (askableFields as Readonly<Record<string, string>>)[name] ?? name;

function Marks({
  family,
  stage,
  problem,
  at,
  onChange,
}: {
  readonly family: FlowFamily;
  readonly stage: Stage;
  readonly problem: string | undefined;
  at(field: string): string | undefined;
  onChange(more: Partial<Stage>): void;
}) {
  const asked = stage.fields.length + stage.facts.length + Number(stage.approval);
  const open = asked > 0 || at('facts') !== undefined || at('fields') !== undefined;
  return (
    <>
      <div className="flow-checks">
        <Checkbox label={t('Orders start here')} checked={stage.start} onChange={(start) => onChange({ start })} />
        <Checkbox
          label={t('Orders end here')}
          checked={stage.end}
          onChange={(end) => onChange(end ? { end, approval: false, fields: [], facts: [] } : { end })}
        />
        <Checkbox
          label={t('Documents may be made from the order')}
          checked={stage.onward}
          onChange={(onward) => onChange({ onward })}
        />
      </div>
      {problem && <p className="field-error">{problem}</p>}
      {!stage.end && (
        <details className="fold" open={open || undefined}>
          <summary>
            {asked > 0 ? t('Before it is left: {{asked}} asked for', { asked }) : t('Before it is left')}
          </summary>
          <div className="flow-checks">
            <Checkbox
              label={t('Another user approves')}
              help={t('The user who entered the order cannot move it forward from here, but can reject it')}
              checked={stage.approval}
              onChange={(approval) => onChange({ approval })}
            />
            {families[family].facts.map((name) => (
              <Checkbox
                key={name}
                label={t(facts[name].label)}
                help={t(facts[name].says)}
                checked={stage.facts.includes(name)}
                onChange={(on) => onChange({ facts: withOne(stage.facts, name, on) })}
              />
            ))}
            {fieldsIn(family).map((name) => (
              <Checkbox
                key={name}
                label={t('{{name}} is filled', { name: fieldWord(name) })}
                checked={stage.fields.includes(name)}
                onChange={(on) => onChange({ fields: withOne(stage.fields, name as string, on) })}
              />
            ))}
          </div>
          {(at('facts') ?? at('fields')) && <p className="field-error">{at('facts') ?? at('fields')}</p>}
        </details>
      )}
    </>
  );
}
