import { useRef, useState } from 'react';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { Checkbox, TextArea, TextField } from '../../kit/fields/fields.tsx';
import { newKey } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import type { Shown } from '../DocumentView.tsx';
import { addressesOf, forgetLetter, keepLetter, type Letter, type Mails, toggledAddress } from './letter.ts';

/** Mails the document with its PDF. Ctrl+Enter sends; an attempt without an answer is repeated under its own key. */
export function MailDialog({
  document,
  start,
  contacts,
  onClose,
}: {
  readonly document: Pick<Shown, 'id' | 'number'>;
  readonly start: Letter;
  readonly contacts: Mails['contacts'];
  onClose(): void;
}) {
  const { subject: person } = useSession();
  const [letter, setLetter] = useState(start);
  const attempt = useRef({ text: '', key: '' });
  const type = (typed: Partial<Letter>) => {
    const next = { ...letter, ...typed };
    setLetter(next);
    keepLetter(person, document.id, next);
  };
  const send = async () => {
    const { again, subject, message } = letter;
    const [to, cc] = [[...addressesOf(letter.to)], [...addressesOf(letter.cc)]];
    const input = { TransactionIds: [document.id], to, cc, subject, message, ...(again && { again }) };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    await api.SendInvoiceInMail(input, attempt.current.key);
    forgetLetter(person, document.id);
    toast(t('{{number}} is on its way to {{to}}', { number: document.number, to: to.join(', ') }));
  };
  return (
    <FormDialog
      width={640}
      title={t('Mail {{number}}', { number: document.number })}
      holds={{ ...letter }}
      verb={t('Send mail')}
      keep={t('Close')}
      kept
      save={send}
      onClose={onClose}
    >
      {(at) => {
        const field = (name: 'to' | 'cc' | 'subject' | 'message') => ({
          name,
          value: letter[name],
          error: at(name),
          onChange: (value: string) => type({ [name]: value }),
        });
        return (
          <>
            <TextField
              {...field('to')}
              label={t('To')}
              required
              autoFocus
              help={t('Several addresses are parted by commas')}
            />
            {contacts.length > 1 && (
              <fieldset className="merge contacts">
                <legend>{t('Contacts of the party')}</legend>
                {contacts.map(({ name, role, email }) => (
                  <Checkbox
                    key={email}
                    label={`${[name, role].filter(Boolean).join(', ')} – ${email}`}
                    checked={addressesOf(letter.to).some((each) => each.toLowerCase() === email.toLowerCase())}
                    onChange={(on) => type({ to: toggledAddress(letter.to, email, on) })}
                  />
                ))}
              </fieldset>
            )}
            <TextField {...field('cc')} label={t('Cc')} />
            <TextField {...field('subject')} label={t('Subject')} required maxLength={200} />
            <TextArea {...field('message')} label={t('Message')} rows={9} maxLength={10_000} />
            <p className="muted">{t('Attached: {{number}}.pdf', { number: document.number.replaceAll('/', '-') })}</p>
          </>
        );
      }}
    </FormDialog>
  );
}
