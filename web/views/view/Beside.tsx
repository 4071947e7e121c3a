import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { blobOf, download } from '../../kit/dialog/download.ts';
import { attachable, contentOf, sizeText } from '../../kit/dialog/files.ts';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { TextArea } from '../../kit/fields/fields.tsx';
import { showMoment } from '../../kit/format.ts';
import { ErrorPanel, Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { useKept } from '../../kit/server/useKept.ts';
import { useStoredState } from '../../kit/server/useStoredState.ts';
import { t } from '../../kit/text.ts';

type Facts = Awaited<ReturnType<typeof api.GetBeside>>;

interface BesideProps {
  readonly id: string;
  readonly mayWrite: boolean;
}

/** What is beside a document. */
const useFacts = (id: string) => useKept(useScreenKey('beside', id), () => api.GetBeside({ id }));
type Run = ReturnType<typeof useFacts>['run'];

/** Comments that people write beside a document, and the files that they put there. */
export function Beside({ id, mayWrite }: BesideProps) {
  const { data, error, refetch, busy, run } = useFacts(id);
  const comment = useComment(id);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (!mayWrite && data.files.length === 0 && data.comments.length === 0) return null;
  return (
    <Panel title={t('Files and comments')}>
      <div className="stack">
        {data.files.length > 0 && <Files id={id} files={data.files} mayWrite={mayWrite} run={run} />}
        {data.comments.length > 0 && <Comments comments={data.comments} />}
        {mayWrite && <Adding id={id} comment={comment} busy={busy} run={run} />}
      </div>
    </Panel>
  );
}

interface FilesProps extends BesideProps {
  readonly files: Facts['files'];
  readonly run: Run;
}

function Files({ id, files, mayWrite, run }: FilesProps) {
  const open = async (number: number) => {
    try {
      const { name, type, content } = await api.GetAttachment({ id, number });
      download(name, blobOf(content, type));
    } catch (problem) {
      toastError(problem);
    }
  };
  return (
    <ul className="plain-list" aria-label={t('Files')}>
      {files.map((file) => (
        <li key={file.number}>
          <span>
            <button type="button" className="link" onClick={() => void open(file.number)}>
              {file.name}
            </button>{' '}
            <span className="muted">
              {sizeText(file.size)} · {file.by}
            </span>
          </span>
          {mayWrite && (
            <Button
              look="subtle"
              aria-label={t('Take away {{name}}', { name: file.name })}
              onClick={() => void run(() => api.RemoveAttachment({ id, number: file.number }))}
            >
              {t('Take away')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Comments({ comments }: Pick<Facts, 'comments'>) {
  const { format } = useDateFormat();
  return (
    <ol className="plain-list" aria-label={t('Comments')}>
      {comments.map((comment) => (
        <li key={comment.number}>
          <span>
            {comment.text} <span className="muted">{comment.by}</span>
          </span>
          <span className="muted one-line">{showMoment(comment.at, format)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The comment that is being written: a document that is posted with half a comment beside it is shown with that comment. */
function useComment(id: string) {
  const half = useStoredState<string>(`comment ${id}`);
  const [text, setText] = useState(half.first ?? '');
  const type = (typed: string) => {
    setText(typed);
    half.hold(typed === '' ? undefined : typed);
  };
  return { text, type };
}

interface AddingProps {
  readonly id: string;
  readonly comment: ReturnType<typeof useComment>;
  readonly busy: boolean;
  readonly run: Run;
}

/** Adds a comment, or files. */
function Adding({ id, comment: { text, type }, busy, run }: AddingProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const write = async (event: FormEvent) => {
    event.preventDefault();
    // what was typed stays when it could not be kept
    if (text.trim() !== '' && (await run(() => api.AddComment({ id, text })))) type('');
  };
  const attach = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const added = await run(async () =>
        api.AttachFile({ id, name: file.name.slice(0, 150), content: await contentOf(file) }),
      );
      if (added) toast(t('{{name}} is attached to the document', { name: file.name }));
    }
    if (chooser.current) chooser.current.value = '';
  };
  return (
    <>
      <form onSubmit={(event) => void write(event)} className="stack">
        <TextArea label={t('Comment')} value={text} onChange={type} rows={2} maxLength={2000} />
        <div className="side-actions">
          <Button type="submit" busy={busy} disabled={text.trim() === ''}>
            {t('Add comment')}
          </Button>
          <Button busy={busy} onClick={() => chooser.current?.click()}>
            {t('Attach file')}
          </Button>
        </div>
      </form>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        aria-label={t('Files to attach')}
        accept={attachable}
        onChange={(event) => void attach(event.target.files)}
      />
    </>
  );
}
