import { type QueryExecutorProvider, sql } from 'kysely';
import type { Effect } from '../../domain/books/effects.ts';
import { booksCustomsTax, postsNothing } from '../../domain/books/legs.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { statusesOf } from '../../domain/tax/gst/returns/filing.ts';
import {
  type BookedDocument,
  type CellPart,
  cells,
  cellsOf,
  interStateTo,
  signOfCell,
  type TaxHeads,
} from '../../domain/tax/gst/returns/gstr3b.ts';
import { taxEffects } from '../../domain/tax/tax-locks.ts';
import { type DrawnReturn, type KeptTable, type ReturnPart, summed } from './return-parts.ts';

/** Kinds that have figures whether or not they move tax: supplies, and what customs assess. A self-invoice repeats its bill. */
const shown = kindNames.filter((name) => {
  const kind = kindOf(name);
  return kind.life.cycle !== 'ordered' && !postsNothing(kind) && (kind.gst.tax !== 'none' || booksCustomsTax(kind));
});

interface Row {
  readonly id: Id;
  readonly kind: BookedDocument['kind'];
  readonly number: string;
  readonly date: Day;
  readonly reversal: boolean;
  readonly supply: BookedDocument['supply'];
  readonly supply_type: string;
  readonly reverse_charge: boolean;
  readonly category: string | null;
  /** Of the recipient, who may be another registration of ours. */
  readonly recipient: string | null;
  readonly place: string | null;
  readonly through_operator: boolean;
  readonly barred: boolean;
  readonly reason: string;
  readonly assessed: string;
  readonly lines: BookedDocument['lines'];
  readonly taxes: Readonly<Partial<Record<Effect, number>>>;
  readonly paid: boolean;
}

/** What a document says, and what its entries do to the ledgers of tax. */
const columns = sql`
  coalesce(d.body ->> 'supply', 'none') as supply, d.supply_type, d.reverse_charge, d.category,
  coalesce(
    d.party_gstin,
    -- goods sent to another of our registrations: that one is the recipient, a person of its own (section 25(4))
    (
      select t.gstin
      from registrations t
      left join locations tl on tl.organisation = d.organisation and tl.id = d.to_location
      where t.organisation = d.organisation
        and t.id = coalesce((d.body #>> '{draft,toRegistration}')::uuid, tl.registration)
        and t.id <> d.registration
        and d.party is null
    )
  ) as recipient,
  d.place_of_supply as place, d.body #>> '{draft,fields,ecommerceGstin}' is not null as through_operator,
  (
    coalesce(d.body -> 'warnings' @> '[{"code": "creditBarred"}]', false)
    or exists (
      select from document_links k
      join documents o on o.organisation = k.organisation and o.id = k.source
      where k.organisation = d.organisation
        and k.target = d.id
        and k.role = 'source'
        and coalesce(o.body -> 'warnings' @> '[{"code": "creditBarred"}]', false)
    )
    or coalesce(d.body ->> 'supply', '') = 'intra' and d.place_of_supply <> g.state
  ) as barred,
  coalesce(d.body #>> '{draft,reason}', '') || ' ' || coalesce(d.body #>> '{draft,narration}', '') as reason,
  coalesce((d.body #>> '{draft,customs,assessable}')::bigint, 0) as assessed,
  (
    select
      coalesce(
        json_agg(
          json_build_object(
            'treatment', l.treatment, 'taxable', l.taxable, 'igst', l.igst, 'cgst', l.cgst, 'sgst', l.sgst, 'cess', l.cess
          )
          order by l.line
        ),
        '[]'
      )
    from document_lines l
    where l.organisation = d.organisation and l.document = d.id
  ) as lines,
  (
    select coalesce(json_object_agg(t.effect, t.amount), '{}')
    from (
      select m.effect, sum(e.credit - e.debit) as amount
      from entries e
      join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
      where e.organisation = d.organisation and e.document = d.id and m.effect = any(${[...taxEffects]}::text[])
      group by m.effect
    ) t
  ) as taxes,
  exists (
    select from entries e
    join ledgers a on a.organisation = e.organisation and a.id = e.ledger
    where e.organisation = d.organisation
      and e.document = d.id
      and e.credit > 0
      and a.nature in ('asset', 'liability')
      and not exists (
        select from posting_map m
        where m.organisation = e.organisation and m.ledger = e.ledger and m.effect = any(${[...taxEffects]}::text[])
      )
  ) as paid
`;

/** Documents of a registration that have a figure in GSTR-3B, or move its tax; notes without GST change nothing. */
const isIn = (registration: Id) => sql`
  d.registration = ${registration}::uuid
  and registration_status(d.organisation, d.registration, d.date) = any(${[...statusesOf('GSTR-3B')]}::text[])
  and not coalesce((d.body #>> '{draft,withoutTax}')::boolean, false)
  and (
    d.kind = any(${shown}::text[])
      and not (d.party is null and coalesce(d.body ->> 'supply', '') = 'none' and d.kind <> all(${customs}::text[]))
    or exists (
      select from entries e
      join posting_map m on m.organisation = e.organisation and m.ledger = e.ledger
      where e.organisation = d.organisation and e.document = d.id and m.effect = any(${[...taxEffects]}::text[])
    )
  )
`;
const customs = kindNames.filter((name) => booksCustomsTax(kindOf(name)));

/**
 * GSTR-3B as the books give it: each document adds to its cells, a reversal on a later day takes off there. By head, the
 * figures of 3.1, 4(A) and 4(B) are what the ledgers of tax moved by, but for opening balances and what paid tax (6.1).
 */
export async function drawGstr3b(
  db: QueryExecutorProvider,
  organisation: number,
  registration: Id,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<DrawnReturn> {
  const { rows } = await sql<Row>`
    select d.id, d.kind, d.number, d.date::text as date, false as reversal, ${columns}
    from documents d
    join registrations g on g.organisation = d.organisation and g.id = d.registration
    where d.organisation = ${organisation}
      and ${isIn(registration)}
      and d.reverses is null
      and d.date between ${from}::date and ${to}::date
      and not cancelled_by(d.organisation, d.id, ${to}::date)
    union all
    select r.id, d.kind, r.number, r.date::text, true, ${columns}
    from documents r
    join cancellations c on c.organisation = r.organisation and c.reversal = r.id
    join documents d on d.organisation = c.organisation and d.id = c.document
    join registrations g on g.organisation = d.organisation and g.id = d.registration
    where r.organisation = ${organisation}
      and ${isIn(registration)}
      and r.date between ${from}::date and ${to}::date
      and d.date < ${from}::date
    order by date, number
  `.execute(db);
  const parts = rows.flatMap((row) =>
    cellsOf(bookedOf(row)).map((part) => ({ row, part: signed(part, row.reversal ? -1 : 1) })),
  );
  const tables = cells.flatMap((name): KeptTable[] => {
    const own = parts.filter(({ part }) => part.cell === name);
    return own.length > 0 ? [tableOf(name, own)] : [];
  });
  return { tables: [...tables, ...interState(parts)], documents: partsOf(parts), file: null };
}

type Part = { readonly row: Row; readonly part: CellPart };

const signed = (part: CellPart, sign: 1 | -1): CellPart => ({ ...part, ...times(part, sign) });
const times = (of: Omit<CellPart, 'cell'>, sign: 1 | -1 | 0): Omit<CellPart, 'cell'> => {
  const amount = (value: number): number => (value === 0 ? 0 : sign * value);
  return {
    taxable: amount(of.taxable),
    igst: amount(of.igst),
    cgst: amount(of.cgst),
    sgst: amount(of.sgst),
    cess: amount(of.cess),
  };
};

const tableOf = (name: string, own: readonly Part[]): KeptTable => ({
  name,
  count: new Set(own.map(({ row }) => row.id)).size,
  ...summed(own.map(({ part }) => part)),
});

/** Table 3.2: what of 3.1(a) went to other states and to nobody registered, composition dealers or holders of a UIN. */
function interState(parts: readonly Part[]): readonly KeptTable[] {
  const found = new Map<string, Part[]>();
  for (const one of parts) {
    const { supply, place } = one.row;
    const name = interStateTo(one.row);
    if (one.part.cell !== '3.1(a)' || supply !== 'inter' || name === undefined) continue;
    const key = `3.2 ${name}, place of supply ${place ?? ''}`;
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const { taxable, igst } = summed(own.map(({ part }) => part));
      return { name, count: new Set(own.map(({ row }) => row.id)).size, taxable, igst, cgst: 0, sgst: 0, cess: 0 };
    });
}

/** What each document adds to each table, so that all of them come to the tax left to pay. */
function partsOf(parts: readonly Part[]): readonly ReturnPart[] {
  const found = new Map<string, Part[]>();
  for (const one of parts) {
    const key = `${one.row.id} ${one.part.cell}`;
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return [...found.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { id, number, date } = first.row;
    const amounts = summed(own.map(({ part }) => part));
    const sign = signOfCell(first.part.cell);
    return [{ id, table: first.part.cell, number, date, ...times(amounts, sign), taxable: amounts.taxable }];
  });
}

const bookedOf = (row: Row): BookedDocument => ({
  kind: row.kind,
  supply: row.supply,
  supplyType: row.supply_type,
  reverseCharge: row.reverse_charge,
  category: row.category,
  throughOperator: row.through_operator,
  isBarred: row.barred,
  reason: row.reason,
  assessed: Number(row.assessed),
  lines: row.lines,
  output: headsOf(row, 'output', 1),
  reverse: headsOf(row, 'reverse', 1),
  input: headsOf(row, 'input', -1),
  isPaid: row.paid,
});

const headsOf = ({ taxes }: Row, side: 'output' | 'reverse' | 'input', sign: 1 | -1): TaxHeads => {
  const of = (head: 'Igst' | 'Cgst' | 'Sgst' | 'Cess'): number => {
    const amount = Number(taxes[`${side}${head}`] ?? 0);
    return amount === 0 ? 0 : sign * amount;
  };
  return { igst: of('Igst'), cgst: of('Cgst'), sgst: of('Sgst'), cess: of('Cess') };
};
