import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import type { Address } from '../../kit/navigation.tsx';
import { api } from '../../kit/server/client.ts';
import { t } from '../../kit/text.ts';

/** What of an address sets a list; the rest says where one is, as the kind does that shares a screen with others. */
const settings = ['search', 'status', 'stage', 'period', 'from', 'to', 'party'] as const;
const setOf = (address: Address): Readonly<Record<string, string>> =>
  Object.fromEntries(settings.flatMap((name) => (address[name] ? [[name, address[name]] as const] : [])));
const same = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/**
 * Filters that the user saves under a name, per list; `columns` are the hidden ones, `usual` those that are hidden
 * by default.
 */
export function SavedViews({
  list,
  address,
  columns,
  usual,
  onChoose,
}: {
  readonly list: string;
  readonly address: Address;
  readonly columns: ReadonlySet<string>;
  readonly usual: readonly string[];
  onChoose(query: Address, columns: ReadonlySet<string>): void;
}) {
  const cache = useQueryClient();
  const key = ['views', list];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => api.GetSavedViews({ list }) });
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const away = [...columns].sort().join(',');
  const query = { ...setOf(address), ...(away !== [...usual].sort().join(',') && { columns: away }) };
  // views that were kept while the kind was part of them
  const current = data.find(({ query: { kind: _, ...kept } }) => same(kept, query));
  const choose = (wanted: string) => {
    const view = data.find((each) => each.name === wanted);
    const { columns: put, kind: _, ...filters } = view?.query ?? {};
    onChoose(filters, new Set(put === undefined ? usual : put.split(',').filter(Boolean)));
  };
  const keep = async () => {
    cache.setQueryData(key, await api.SaveView({ list, name: name.trim(), query }));
    toast(t('The view {{name}} is kept', { name: name.trim() }));
    setName('');
  };
  const forget = async (view: string) => {
    try {
      await api.RemoveView({ list, name: view });
      await cache.invalidateQueries({ queryKey: key });
      toast(t('The view {{view}} is forgotten', { view }));
    } catch (problem) {
      toastError(problem);
    }
  };
  return (
    <>
      {data.length > 0 && (
        <select
          className="input"
          aria-label={t('View')}
          value={current?.name ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{Object.keys(query).length > 0 && !current ? t('As set now') : t('All')}</option>
          {data.map((view) => (
            <option key={view.name} value={view.name}>
              {view.name}
            </option>
          ))}
        </select>
      )}
      {current ? (
        <Button look="subtle" onClick={() => void forget(current.name)}>
          {t('Forget view')}
        </Button>
      ) : (
        Object.keys(query).length > 0 && (
          <Button look="subtle" onClick={() => setNaming(true)}>
            {t('Save view')}
          </Button>
        )
      )}
      {naming && (
        <FormDialog
          title={t('Under which name is this view kept?')}
          holds={{ name }}
          verb={t('Save view')}
          ready={name.trim() !== ''}
          save={keep}
          onClose={() => setNaming(false)}
        >
          {(at) => <TextField label={t('Name')} value={name} onChange={setName} maxLength={60} error={at('name')} />}
        </FormDialog>
      )}
    </>
  );
}
