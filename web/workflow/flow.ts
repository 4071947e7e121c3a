import type { z } from 'zod';
import type { orderStatus, workflowRow, workflowView } from '../../contract/workflow.ts';
import type { FlowAction, Stage } from '../../domain/workflow/definition.ts';
import type { Tone } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';

export type Row = z.output<typeof workflowRow>;
export type View = z.output<typeof workflowView>;
export type OrderStatus = z.output<typeof orderStatus>;

export const states: Readonly<Record<Row['status'], readonly [word: string, tone: Tone]>> = {
  draft: ['Draft', 'neutral'],
  published: ['Published', 'ok'],
  retired: ['Retired', 'neutral'],
  cancelled: ['Cancelled', 'bad'],
};

/** A key that none of these has. */
const fresh = (stem: string, taken: readonly { readonly key: string }[]): string => {
  for (let n = taken.length + 1; ; n += 1) if (!taken.some(({ key }) => key === `${stem}-${n}`)) return `${stem}-${n}`;
};

export const newStage = (stages: readonly Stage[]): Stage => ({
  key: fresh('stage', stages),
  name: '',
  colour: 'neutral',
  slaHours: null,
  start: stages.length === 0,
  end: false,
  onward: false,
  approval: false,
  fields: [],
  facts: [],
});

export const newAction = (actions: readonly FlowAction[], from: string): FlowAction => ({
  key: fresh('action', actions),
  label: '',
  from,
  to: '',
  roles: [],
  needsComment: false,
  confirmText: '',
  destructive: false,
});

/** How long, in the two largest units: '2 d 3 h', '15 min'. */
export const lasted = (minutes: number): string => {
  if (minutes < 60) return t('{{minutes}} min', { minutes });
  const hours = Math.trunc(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0 ? `${hours} h` : t('{{hours}} h {{minutes}} min', { hours, minutes: minutes % 60 });
  return hours % 24 === 0 ? `${Math.trunc(hours / 24)} d` : `${Math.trunc(hours / 24)} d ${hours % 24} h`;
};

/** The stages that orders of these versions can stand at, the published one's first; each key once. */
export const stagesOf = (versions: readonly Row[]): readonly { readonly key: string; readonly name: string }[] => {
  const found = new Map<string, string>();
  const inUse = versions.filter(({ status, running }) => status === 'published' || status === 'retired' || running > 0);
  for (const { stages } of [...inUse].sort((a, b) => b.version - a.version))
    for (const { key, name } of stages) if (!found.has(key)) found.set(key, name);
  return [...found].map(([key, name]) => ({ key, name }));
};
