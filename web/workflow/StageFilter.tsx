import type { FlowFamily } from '../../domain/workflow/families.ts';
import { useCall } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { type Row, stagesOf } from './flow.ts';
import './workflow.css';

/** The stages that orders of a family stand at, to filter a list by; nothing where there are none. */
export function StageFilter({
  family,
  value,
  onChange,
}: {
  readonly family: FlowFamily;
  readonly value: string;
  onChange(stage: string): void;
}) {
  const { data } = useCall<Row[]>('workflow/GetWorkFlows', { TransactionType: family });
  const stages = stagesOf(data ?? []);
  if (stages.length === 0) return null;
  return (
    <select
      className="input flow-stages"
      aria-label={t('Stage')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('Any stage')}</option>
      {stages.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}
