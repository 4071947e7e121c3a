import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { drawnAnew, NoPicture, pictureTypes } from '../../kit/fields/picture.ts';
import { ErrorPanel, Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** No larger than the top bar and a paper need it, on any screen. */
const MOST = { width: 640, height: 256 };
/** The organisation's logo: in the top bar beside its name. */
export function LogoPanel() {
  const { organisation } = useSession();
  const cache = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const keep = async (content: () => Promise<string>, name: string, said: string) => {
    setBusy(true);
    setError(null);
    try {
      await api.AddLogoDetails({ name: name.slice(0, 100), content: await content() });
      toast(said);
      await cache.invalidateQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // the same file can be chosen again
    target.value = '';
    if (file) void keep(() => drawnAnew(file, MOST, t('A logo')), file.name, t('The logo is kept'));
  };
  return (
    <Panel title={t('Logo')}>
      <div className="stack">
        {error instanceof NoPicture ? (
          <p className="field-error" role="alert">
            {error.message}
          </p>
        ) : (
          error != null && <ErrorPanel error={error} />
        )}
        {organisation.logo ? (
          <img
            className="logo-shown"
            src={organisation.logo}
            alt={t('Logo of {{name}}', { name: organisation.name })}
          />
        ) : (
          <p className="muted">{t('No logo yet: the top bar shows the logo of Bahi.')}</p>
        )}
        <div className="button-row">
          <input
            ref={input}
            type="file"
            accept={pictureTypes.join(',')}
            hidden
            aria-label={t('Logo file')}
            onChange={choose}
          />
          <Button busy={busy} onClick={() => input.current?.click()}>
            {organisation.logo ? t('Choose another logo') : t('Choose a logo')}
          </Button>
          {organisation.logo && (
            <Button busy={busy} onClick={() => void keep(async () => '', '', t('The logo is taken away'))}>
              {t('Remove logo')}
            </Button>
          )}
        </div>
        <p className="muted">
          {t('PNG, JPEG or WebP. It is scaled to at most 640 × 256; the rest of the file is not kept.')}
        </p>
      </div>
    </Panel>
  );
}
