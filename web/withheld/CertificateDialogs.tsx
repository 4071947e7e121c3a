import { useRef, useState } from 'react';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { TextArea, TextField } from '../kit/fields/fields.tsx';
import { newKey } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { addressesOf } from '../views/view/letter.ts';
import type { Certified } from './tax.ts';

interface Props {
  readonly which: {
    readonly tax: Withholding;
    readonly party: string;
    readonly year: string;
    readonly quarter: number;
  };
  readonly row: Certified;
  /** What the law calls the certificate. */
  readonly form: string;
  onClose(): void;
}

/** What is typed of a certificate: the number that TRACES gave it, and who answers for it. */
export function CertificateNumber({ which, row, form, onClose }: Props) {
  const { name } = useSession();
  const [typed, setTyped] = useState({
    number: row.number,
    signedBy: row.signedBy || name,
    capacity: row.capacity,
  });
  const save = async () => {
    await api.SaveTaxCertificate({ ...which, ...typed, ...(row.version > 0 && { version: row.version }) });
    toast(t('{{form}} of {{name}} is kept', { form, name: row.name }));
  };
  return (
    <FormDialog
      title={t('{{form}} of {{name}}', { form, name: row.name })}
      holds={typed}
      verb={t('Keep')}
      save={save}
      onClose={onClose}
    >
      {(problem) => {
        const at = (field: keyof typeof typed) => ({
          value: typed[field],
          onChange: (value: string) => setTyped((before) => ({ ...before, [field]: value })),
          error: problem(field),
        });
        return (
          <div className="fields">
            <TextField
              label={t('Certificate number')}
              span={4}
              maxLength={20}
              help={t('As TRACES gave it, once the quarterly statement is filed')}
              autoFocus
              {...at('number')}
            />
            <TextField label={t('Verified by')} span={2} maxLength={100} {...at('signedBy')} />
            <TextField
              label={t('In the capacity of')}
              span={2}
              maxLength={100}
              placeholder={t('Director')}
              {...at('capacity')}
            />
          </div>
        );
      }}
    </FormDialog>
  );
}

/** Mails a certificate to its payee. */
export function MailCertificate({ which, row, form, onClose }: Props) {
  const { organisation } = useSession();
  const attempt = useRef({ text: '', key: '' });
  const [letter, setLetter] = useState({
    to: row.email,
    cc: '',
    subject: `${form} of Q${which.quarter} ${which.year} from ${organisation.name}`.slice(0, 200),
    message: [
      `Dear ${row.name},`,
      `Please find attached ${form} for the quarter Q${which.quarter} of ${which.year}${row.number ? `, number ${row.number}` : ''}.`,
      `Regards,\n${organisation.name}`,
    ].join('\n\n'),
  });
  const send = async () => {
    const { subject, message } = letter;
    const [to, cc] = [[...addressesOf(letter.to)], [...addressesOf(letter.cc)]];
    const input = { ...which, to, cc, subject, message };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    await api.MailTaxCertificate(input, attempt.current.key);
    toast(t('{{form}} of {{name}} is on its way to {{to}}', { form, name: row.name, to: to.join(', ') }));
  };
  return (
    <FormDialog
      width={640}
      title={t('Mail {{form}} of {{name}}', { form, name: row.name })}
      holds={letter}
      verb={t('Send mail')}
      save={send}
      onClose={onClose}
    >
      {(problem) => {
        const at = (field: keyof typeof letter) => ({
          value: letter[field],
          onChange: (value: string) => setLetter((before) => ({ ...before, [field]: value })),
          error: problem(field),
        });
        return (
          <>
            <TextField
              label={t('To')}
              required
              autoFocus
              help={t('Several addresses are parted by commas')}
              {...at('to')}
            />
            <TextField label={t('Cc')} {...at('cc')} />
            <TextField label={t('Subject')} required maxLength={200} {...at('subject')} />
            <TextArea label={t('Message')} rows={7} maxLength={10_000} {...at('message')} />
          </>
        );
      }}
    </FormDialog>
  );
}
