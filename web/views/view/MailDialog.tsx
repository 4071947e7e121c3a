import { useRef, useState } from 'react';
import { newKey, type Problem, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Checkbox, focusFirstError, TextArea, TextField } from '../../kit/fields.tsx';
import { ErrorPanel } from '../../kit/parts.tsx';
import { useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import type { Shown } from '../DocumentView.tsx';
import { addressesOf, forgetLetter, keepLetter, type Letter, type Mails, toggledAddress } from './letter.ts';

/** Every problem of a field: each wrong address is named. */
const told = (problems: readonly Problem[], field: string): string | undefined =>
  [...new Set(problems.filter((problem) => problem.field === field).map((problem) => problem.message))].join('. ') ||
  undefined;

const fields: readonly string[] = ['to', 'cc', 'subject', 'message'];

/** Mails the document with its PDF. Ctrl+Enter sends; an attempt without an answer is repeated under its own key. */
export function MailDialog({
  document,
  start,
  contacts,
  onSent,
  onClose,
}: {
  readonly document: Pick<Shown, 'id' | 'number'>;
  readonly start: Letter;
  readonly contacts: Mails['contacts'];
  onSent(): void;
  onClose(): void;
}) {
  const { subject: person } = useSession();
  const [letter, setLetter] = useState(start);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const form = useRef<HTMLDivElement>(null);
  const type = (typed: Partial<Letter>) => {
    const next = { ...letter, ...typed };
    setLetter(next);
    keepLetter(person, document.id, next);
  };
  const send = async () => {
    if (busy) return;
    const { again, subject, message } = letter;
    const [to, cc] = [[...addressesOf(letter.to)], [...addressesOf(letter.cc)]];
    const input = { TransactionIds: [document.id], to, cc, subject, message, ...(again && { again }) };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    setBusy(true);
    setError(null);
    setProblems([]);
    try {
      await api.SendInvoiceInMail(input, attempt.current.key);
      forgetLetter(person, document.id);
      toast(`${document.number} is on its way to ${to.join(', ')}`);
      onSent();
    } catch (refused) {
      const found = refused instanceof Refused ? refused.problems : [];
      setProblems(found);
      if (!found.length || found.some(({ field }) => !fields.includes(field))) setError(refused);
      focusFirstError(form.current ?? undefined);
      setBusy(false);
    }
  };
  const field = (name: 'to' | 'cc' | 'subject' | 'message') => ({
    name,
    value: letter[name],
    error: told(problems, name),
    onChange: (value: string) => type({ [name]: value }),
  });
  return (
    <Dialog
      open
      width={640}
      title={`Mail ${document.number}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" busy={busy} title="Ctrl Enter" onClick={() => void send()}>
            Send mail
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the fields inside end up here */}
      <div
        className="stack"
        ref={form}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      >
        {error !== null && <ErrorPanel error={error} />}
        <TextField {...field('to')} label="To" required autoFocus help="Several addresses are parted by commas" />
        {contacts.length > 1 && (
          <fieldset className="merge contacts">
            <legend>Contacts of the party</legend>
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
        <TextField {...field('cc')} label="Cc" />
        <TextField {...field('subject')} label="Subject" required maxLength={200} />
        <TextArea {...field('message')} label="Message" rows={9} maxLength={10_000} />
        <p className="muted">Attached: {document.number.replaceAll('/', '-')}.pdf</p>
      </div>
    </Dialog>
  );
}
