import { TextField } from '../kit/fields/fields.tsx';
import { Copy } from '../kit/table/Copy.tsx';

interface Props {
  readonly label: string;
  readonly secret: string;
  readonly help: string;
  /** What the button copies. */
  readonly what: string;
}

/** A secret that is shown once: what is kept of it cannot be read again. */
export const ShownOnce = ({ label, secret, help, what }: Props) => (
  <div role="status" className="stack">
    <TextField label={label} value={secret} onChange={() => undefined} readOnly help={help} />
    <div>
      <Copy text={secret} what={what} />
    </div>
  </div>
);
