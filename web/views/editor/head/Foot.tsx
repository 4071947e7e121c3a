import { Panel } from '../../../kit/parts.tsx';
import type { Problem } from '../../../kit/server/api.ts';
import type { Model } from '../model.ts';
import { HeadField } from './HeadField.tsx';
import { footFields } from './headFields.ts';

/** Narration and terms, below the lines. */
export function Foot({
  model,
  problems,
  quick,
}: {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}) {
  const shown = model.kind.fields.filter((name) => footFields.has(name));
  if (quick || shown.length === 0) return null;
  return (
    <Panel>
      <div className="fields">
        {shown.map((name) => (
          <HeadField key={name} model={model} problems={problems} name={name} />
        ))}
      </div>
    </Panel>
  );
}
