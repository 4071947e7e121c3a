import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { namedCalls } from '../../contract/named.ts';
import { screenOf } from '../../contract/screens.ts';
import { formatDecimal, parseDecimal } from '../../domain/base/decimal.ts';
import { Button } from '../kit/Button.tsx';
import { money, plainNumber } from '../kit/format.ts';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import {
  Badge,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../kit/parts.tsx';
import { useCall, useDateFormat, useSession, usesGst } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { History } from '../views/master/History.tsx';
import { usePlaces } from '../views/places.ts';
import { Pictures } from './Pictures.tsx';
import '../views/views.css';

type Item = z.output<(typeof namedCalls)['GetItemView']['details']>;

/** An item with its prices, its stock by location, the last documents that name it, and who changed it. */
export function ItemView() {
  const { id } = useAddress();
  const go = useGo();
  const { data, error, refetch } = useCall<Item>('items/GetItemView', { id }, id !== undefined);
  const list = screenOf({ master: 'item' }, 'masterList');
  const form = screenOf({ master: 'item' }, 'masterForm');
  if (id === undefined)
    return (
      <Page narrow>
        <PageHead title={t('Item view')} />
        <Empty sentence={t('Choose an item')} action={list && <Button onClick={() => go(list)}>{t('Items')}</Button>} />
      </Page>
    );
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return (
    <Page narrow>
      <PageHead
        title={data.name}
        count={data.sku}
        beside={<Badge word={data.active ? 'Active' : 'Inactive'} />}
        actions={
          form && (
            <Button icon={<IconPencil size={16} aria-hidden />} onClick={() => go(form, { id })}>
              {t('Edit item')}
            </Button>
          )
        }
      />
      <Panel title={t('Item')}>
        <Facts item={data} />
      </Panel>
      <Pictures item={id} name={data.name} />
      {data.hasVariants ? <Variants item={data} /> : data.stocked && <Stock item={data} />}
      <Documents item={data} />
      <History name="item" id={id} />
    </Page>
  );
}

function Facts({ item }: { readonly item: Item }) {
  const gst = usesGst(useSession());
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('Sale rate (₹)'), item.saleRate && money(item.saleRate)],
    [t('Purchase rate (₹)'), item.purchaseRate && money(item.purchaseRate)],
    ['MRP (₹)', item.mrp && money(item.mrp)],
    ['HSN / SAC', gst && item.hsn],
    [t('Unit'), item.unit],
    ['Category', item.category],
    [t('Barcodes'), item.barcodes.map(({ barcode, unit }) => `${barcode} (${unit})`).join(', ')],
    [
      t('Variant of'),
      item.template && (
        <ScreenLink screen="supplypreview" query={{ id: item.template.id }}>
          {item.template.name}
        </ScreenLink>
      ),
    ],
    [t('Description'), item.description],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What is missing up to a level, as decimal text; nothing when there is enough. */
const below = (level: string | null, there: number): string | null => {
  const wanted = parseDecimal(level ?? '', 6);
  return wanted === undefined || there >= wanted ? null : plainNumber(formatDecimal(wanted - there, 6, 0));
};
const quantityOf = ({ quantity }: { readonly quantity: string }): number => parseDecimal(quantity, 6) ?? 0;

/** What is missing and where, in words: at places with a level of their own, and at all others together. */
const missing = ({ stock, reorderLevel, unit }: Item): readonly string[] => {
  const others = stock.filter(({ level }) => level === null);
  const elsewhere = others.length < stock.length ? ' elsewhere' : '';
  const short = below(
    reorderLevel,
    others.reduce((sum, row) => sum + quantityOf(row), 0),
  );
  return [
    ...stock.flatMap((row) => {
      const less = below(row.level, quantityOf(row));
      return less
        ? [
            t('{{name}}: {{less}} {{unit}} below its reorder level of {{level}}', {
              name: row.name,
              less,
              unit,
              level: plainNumber(row.level),
            }),
          ]
        : [];
    }),
    ...(short
      ? [
          t('{{short}} {{unit}} below the reorder level of {{reorderLevel}}{{elsewhere}}', {
            short,
            unit,
            reorderLevel: plainNumber(reorderLevel),
            elsewhere,
          }),
        ]
      : []),
  ];
};

function Stock({ item }: { readonly item: Item }) {
  const levels = item.stock.some(({ level }) => level !== null);
  return (
    <Panel title={t('Stock')}>
      {item.stock.length === 0 ? (
        <Empty sentence={t('None in stock')} />
      ) : (
        <ScrollX label={t('Stock by location')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Location'),
                ...(levels ? [figures(t('Reorder level'))] : []),
                figures(t('Quantity ({{unit}})', { unit: item.unit })),
              ]}
            />
            <tbody>
              {item.stock.map((row) => (
                <tr key={row.code}>
                  <td>
                    <span className="code muted">{row.code}</span> {row.name}
                  </td>
                  {levels && <td className="num">{row.level ? plainNumber(row.level) : '–'}</td>}
                  <td className="num">{plainNumber(row.quantity)}</td>
                </tr>
              ))}
              <tr>
                <td colSpan={levels ? 2 : 1}>{t('All')}</td>
                <td className="num">
                  <b>{plainNumber(item.onHand)}</b>
                </td>
              </tr>
            </tbody>
          </table>
        </ScrollX>
      )}
      {missing(item).map((sentence) => (
        <p key={sentence} className="field-error">
          {t(sentence)}
        </p>
      ))}
    </Panel>
  );
}

/** The variants of an item: those are bought, sold and counted. */
function Variants({ item }: { readonly item: Item }) {
  return (
    <Panel title={t('Variants')}>
      {item.variants.length === 0 ? (
        <Empty sentence={t('No variants are made yet: edit the item')} />
      ) : (
        <ScrollX label={t('Variants')}>
          <table className="plain-table">
            <TableHead
              columns={[t('SKU'), t('Variant'), t('State'), figures(t('In stock ({{unit}})', { unit: item.unit }))]}
            />
            <tbody>
              {item.variants.map(({ id, sku, name, onHand, active }) => (
                <tr key={id}>
                  <td className="code">
                    <ScreenLink screen="supplypreview" query={{ id }}>
                      {sku}
                    </ScreenLink>
                  </td>
                  <td>{name}</td>
                  <td>
                    <Badge word={active ? 'Active' : 'Inactive'} />
                  </td>
                  <td className="num">{plainNumber(onHand)}</td>
                </tr>
              ))}
              <tr>
                <td colSpan={3}>{t('All')}</td>
                <td className="num">
                  <b>{plainNumber(item.onHand)}</b>
                </td>
              </tr>
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}

function Documents({ item }: { readonly item: Item }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  const gst = usesGst(useSession());
  return (
    <Panel title={t('Last documents')}>
      {item.documents.length === 0 ? (
        <Empty sentence={t('No document names it yet')} />
      ) : (
        <ScrollX label={t('Last documents')}>
          <table className="plain-table">
            <TableHead
              columns={[
                t('Date'),
                t('Document'),
                t('Number'),
                t('Party'),
                figures(t('Quantity')),
                figures(t('Rate')),
                figures(gst ? t('Taxable') : t('Value (₹)')),
              ]}
            />
            <tbody>
              {item.documents.map((row, at) => {
                const place = places(row.kind, 'documentView');
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a document may name the item twice
                  <tr key={`${row.id}/${at}`}>
                    <td className="code">{show(row.date)}</td>
                    <td>
                      {t(row.label)} {row.cancelled && <Badge word="Cancelled" />}
                    </td>
                    <td className="code">
                      {place ? (
                        <ScreenLink screen={place.screen} query={{ ...place.query, id: row.id }}>
                          {row.number}
                        </ScreenLink>
                      ) : (
                        row.number
                      )}
                    </td>
                    <td>{row.party || '–'}</td>
                    <td className="num">
                      {plainNumber(row.quantity)} {row.unit}
                    </td>
                    <td className="num">{money(row.rate)}</td>
                    <td className="num">{money(row.taxable)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}
