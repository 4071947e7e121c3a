import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { MOST_PICTURES } from '../../domain/items/pictures.ts';
import { Button } from '../kit/Button.tsx';
import { toast } from '../kit/dialog/toast.tsx';
import { drawnAnew, NoPicture, pictureTypes } from '../kit/fields/picture.ts';
import { ErrorPanel, Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

/** Large enough for a page, small enough to be fetched with it. */
const MOST = { width: 512, height: 512 };

type Shown = Awaited<ReturnType<typeof api.GetItemPictures>>;

/** The pictures of an item. `run` changes them, and says what was done. */
function usePictures(item: string) {
  const key = useScreenKey('pictures', item);
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({ queryKey: key, queryFn: () => api.GetItemPictures({ item }) });
  const run = async (work: () => Promise<Shown>, said: string) => {
    setBusy(true);
    setError(null);
    try {
      cache.setQueryData(key, await work());
      toast(said);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return { data, error, busy, run };
}
type Changes = Pick<ReturnType<typeof usePictures>, 'busy' | 'run'>;

interface PicturesProps {
  readonly item: string;
  readonly name: string;
  readonly edits?: true;
}

/** The pictures of an item; a variant without any shows those of the item it is a variant of. `edits`: they can be changed. */
export function Pictures({ item, name, edits }: PicturesProps) {
  const { data, error, ...changes } = usePictures(item);
  if (!data || (!edits && data.pictures.length === 0)) return null;
  return (
    <Panel title={t('Pictures')}>
      <div className="stack">
        {error instanceof NoPicture ? (
          <p className="field-error" role="alert">
            {error.message}
          </p>
        ) : (
          error != null && <ErrorPanel error={error} />
        )}
        {data.ofTemplate && <p className="muted">{t('These are the pictures of the item whose variant this is.')}</p>}
        {data.pictures.length > 0 && (
          <ul className="pictures" aria-label={t('Pictures')}>
            {data.pictures.map(({ id, name: file, picture }, at) => (
              <li key={id}>
                <img src={picture} alt={`${name}, ${file}`} />
                {edits && !data.ofTemplate && <OnePicture id={id} file={file} first={at === 0} {...changes} />}
              </li>
            ))}
          </ul>
        )}
        {edits && <Adding item={item} shown={data} {...changes} />}
      </div>
    </Panel>
  );
}

interface OnePictureProps extends Changes {
  readonly id: string;
  readonly file: string;
  readonly first: boolean;
}

/** What can be done with a picture. */
function OnePicture({ id, file, first, busy, run }: OnePictureProps) {
  const show = () => run(() => api.ShowItemPictureFirst({ id }), t('{{file}} is shown first', { file }));
  const remove = () => run(() => api.RemoveItemPicture({ id }), t('{{file}} is removed', { file }));
  return (
    <span className="button-row">
      {!first && (
        <Button look="subtle" busy={busy} onClick={() => void show()}>
          {t('Show first')}
        </Button>
      )}
      <Button look="subtle" busy={busy} onClick={() => void remove()}>
        {t('Remove')}
      </Button>
    </span>
  );
}

interface AddingProps extends Changes {
  readonly item: string;
  readonly shown: Shown;
}

function Adding({ item, shown: { ofTemplate, pictures }, busy, run }: AddingProps) {
  const input = useRef<HTMLInputElement>(null);
  const add = async (files: readonly File[]) => {
    for (const file of files)
      await run(
        async () =>
          api.SaveItemPicture({
            ...{ item, name: file.name.slice(0, 100), content: await drawnAnew(file, MOST, t('A picture of an item')) },
          }),
        t('{{name}} is kept', { name: file.name }),
      );
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // the same file can be chosen again
    target.value = '';
    void add(files);
  };
  return (
    <>
      <div className="button-row">
        <input
          ref={input}
          type="file"
          accept={pictureTypes.join(',')}
          multiple
          hidden
          aria-label={t('Picture files')}
          onChange={choose}
        />
        <Button
          busy={busy}
          disabled={!ofTemplate && pictures.length >= MOST_PICTURES}
          onClick={() => input.current?.click()}
        >
          {ofTemplate ? t('Add pictures of this variant') : t('Add pictures')}
        </Button>
      </div>
      <p className="muted">
        {t(
          'PNG, JPEG or WebP, at most {{mostPictures}}. Each is scaled to at most 512 × 512; the rest of the file is not kept.',
          { mostPictures: MOST_PICTURES },
        )}
      </p>
    </>
  );
}
