import { type RawBuilder, sql } from 'kysely';
import type { MasterName } from '../../contract/masters.ts';
import { moneyText, percentText, quantityText, rupeesText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { type Effect, effects } from '../../domain/books/effects.ts';
import type { Nature } from '../../domain/books/ledger-uses.ts';
import type { Problem } from '../../domain/document/document.ts';
import { keepApart, kindCalled, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { mayMeet, numberParts, type Pattern, patternProblem, previewNumbers } from '../../domain/document/number.ts';
import { currencyNames } from '../../domain/facts/currencies.ts';
import { barcodeProblem } from '../../domain/items/barcode.ts';
import { columnProblems } from '../../domain/paper/paper-template.ts';
import { conversionProblem } from '../../domain/stock/units.ts';
import { pincodeFits } from '../../domain/tax/gst/portal/pincodes.ts';
import { hsnProblem } from '../../domain/tax/gst/rates/hsn.ts';
import { mayHaveRetailPrice } from '../../domain/tax/gst/rates/retail-valued.ts';
import { panOfGstin, stateOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import { type Stop, statusLabels, statusOn, stopProblems } from '../../domain/tax/gst/registration/registered.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import { quarterlyProblems, type Turnover, turnoverProblems } from '../../domain/tax/gst/registration/turnover.ts';
import { type FilingPeriod, filingPeriodProblems } from '../../domain/tax/gst/returns/filing.ts';
import { tdsRate } from '../../domain/tax/withheld.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { settingsNow } from '../kit/settings-now.ts';
import { firstSeries, holdSeries, markFor, seriesOfTill } from '../organisation/index.ts';
import { filedOtherwise } from './filing-periods.ts';
import { givenAlready } from './given.ts';
import { pointingProblems, stillFits } from './ledger-uses.ts';
import { factorDecimals, factorUsed, levelDecimals, stepDecimals } from './measured.ts';
import { peopleLinkers, peopleReaders, personOf } from './people.ts';
import type { Trx, Values } from './records.ts';
import { grantProblems } from './rights.ts';
import { historyOf, saveFollowers, saveStatuses, statusesFit } from './statuses.ts';
import { shareWithVariants, templateOf, usedValuesStay } from './variants.ts';

/** The three sorts of item, kept as two flags. */
export const itemType = (row: Values): string => (row.service ? 'service' : row.stocked ? 'stock' : 'nonStock');

type Reader = (trx: Trx, context: Context, row: Values) => Promise<Values>;

/** What a record shows beside its own row. */
export const readers: Readonly<Partial<Record<MasterName, Reader>>> = {
  item: async (_trx, _context, row) => ({ type: itemType(row) }),
  ledgerPosting: async (_trx, _context, row) => ({ label: effects[row.effect as Effect]?.[0] ?? '' }),
  numberSeries: async (trx, context, row) => {
    const pattern = patternOf(row);
    const at = await sql<{
      code: string | null;
      next: number | null;
    }>`
      select
        (
          select l.code
          from locations l
          where l.organisation = ${context.organisation}
            and l.registration = ${row.registration}
            and (${row.location ?? null}::uuid is null or l.id = ${row.location ?? null}::uuid)
          order by l.code
          limit 1
        ) as code,
        (
          select next
          from series_counters c
          where c.organisation = ${context.organisation}
            and c.series = ${row.id}
            and c.period = ${numberParts(pattern, { date: context.today, location: '' }).period}
        ) as next
    `.execute(trx);
    const next = at.rows[0]?.next ?? pattern.start;
    return {
      preview: previewNumbers(pattern, { date: context.today, location: at.rows[0]?.code ?? '' }, next).join(', '),
      next,
    };
  },
  priceList: async (trx, { organisation }, row) => {
    const { rows } = await sql<{
      n: number;
    }>`
      select count(*)::int as n
      from parties
      where organisation = ${organisation}
        and active
        and ${row.id}::text in (body ->> 'priceList', body ->> 'purchasePriceList')
    `.execute(trx);
    return { parties: rows[0]?.n ?? 0 };
  },
  tdsCertificate: async (trx, context, row) => {
    const { rows } = await sql<{
      used: string;
    }>`select certificate_used(${context.organisation}, ${row.id}::uuid) as used`.execute(trx);
    return { left: moneyText(Math.max(0, Number(row.limit_amount) - Number(rows[0]?.used ?? 0))) };
  },
  registration: async (trx, context, row) => {
    const known = await historyOf(trx, context, String(row.id));
    return { ...(known && { statuses: known.statuses, status: statusLabels[statusOn(known, context.today)] }) };
  },
  ...peopleReaders,
};

export const patternOf = (row: Values): Pattern => ({
  prefix: String(row.prefix ?? ''),
  suffix: String(row.suffix ?? ''),
  padding: Number(row.padding),
  start: Number(row.start),
  reset: row.reset as Pattern['reset'],
});

/** A series whose pattern is not touched stays as it is: it may be older than what is asked of it now. */
const isAsBefore = (values: Values, before: Values | undefined): boolean =>
  before !== undefined &&
  before.kind === values.kind &&
  JSON.stringify(patternOf(before)) === JSON.stringify(patternOf(values));

/** The families whose numbers a series must not give again; one that is not touched is asked for its own. */
const numberingsBeside = (kind: Kind, asBefore: boolean): string[] => [
  ...new Set([
    kind.numbering.family,
    ...kindNames
      .map((name): Kind => kindOf(name))
      .flatMap((other) => (!asBefore && keepApart(kind, other) ? [other.numbering.family] : [])),
  ]),
];

/** Whether two patterns could give the same number at one of these places, whose codes they use. */
const meetsAt = (codes: readonly string[], a: Pattern, b: Pattern): boolean =>
  (codes.length > 0 ? codes : ['']).some((location) =>
    mayMeet({ ...a, location, channel: '' }, { ...b, location, channel: '' }),
  );

/** Each row of a price list is for one thing and says one thing of it; two that say the same differently are refused. */
function priceProblems(values: Values): Problem[] {
  const rows = (values.prices ?? []) as readonly Values[];
  const seen = new Set<string>();
  const problems = rows.flatMap((row, at): Problem[] => {
    const wrong = (field: string, message: Said): Problem[] => [{ field: `prices.${field}`, row: at, ...message }];
    if (row.item && row.category) return wrong('category', say('A row is for an item or for a category, not for both'));
    if ((row.rate === undefined) === (row.discount === undefined))
      return wrong(
        'rate',
        row.rate === undefined ? say('Give a price or a discount') : say('Give a price or a discount, not both'),
      );
    if (row.rate !== undefined && !row.item)
      return wrong('item', say('A price is that of an item; for a category or everything give a discount'));
    if (Number(row.from ?? 0) < 0) return wrong('from', say('A quantity is not negative'));
    const name = `${row.item ?? ''}/${row.category ?? ''}/${row.from ?? 0}`;
    if (seen.has(name))
      return wrong(row.item ? 'item' : 'from', say('There is already a row for this from this quantity'));
    seen.add(name);
    return [];
  });
  if (values.validFrom && values.validTo && String(values.validTo) < String(values.validFrom))
    problems.push({ field: 'validTo', ...say('It ends before it begins') });
  const places = (values.locations ?? []) as readonly string[];
  if (values.appliesTo === 'locations' && places.length === 0)
    problems.push({ field: 'locations', ...say('Choose the locations it is for') });
  if (values.appliesTo !== 'locations' && places.length > 0)
    problems.push({ field: 'locations', ...say('Only a list for chosen locations names locations') });
  if (values.appliesTo === 'tills' && values.side === 'purchase')
    problems.push({ field: 'appliesTo', ...say('A till does not buy') });
  if (values.currency !== undefined && !Object.hasOwn(currencyNames, String(values.currency)))
    problems.push({ field: 'currency', ...say('A currency has a code of three letters, as USD') });
  return problems;
}

/** Goods do not have more days left than they keep. */
function shelfLifeProblems({ hasShelfLife, shelfLifeDays, minRemainingShelfLifeDays: least }: Values): Problem[] {
  if (hasShelfLife !== true) return [];
  return [
    ...(shelfLifeDays !== undefined && Number(shelfLifeDays) <= 0
      ? [{ field: 'shelfLifeDays', ...say('Enter a shelf life of at least one day') }]
      : []),
    ...(least !== undefined &&
    (Number(least) < 0 || (shelfLifeDays !== undefined && Number(least) >= Number(shelfLifeDays)))
      ? [
          {
            field: 'minRemainingShelfLifeDays',
            ...say('Enter 0 or more days, and fewer than its shelf life'),
          },
        ]
      : []),
  ];
}

/** A location has one level, and is filled up to no less than that. */
function levelProblems({ reorderLevels }: Values): Problem[] {
  const rows = (reorderLevels ?? []) as readonly Values[];
  return rows.flatMap(({ location, level, upTo }, row): Problem[] => {
    if (rows.findIndex((other) => other.location === location) !== row)
      return [{ field: 'reorderLevels.location', row, ...say('This location has a level already') }];
    if (Number(level) <= 0) return [{ field: 'reorderLevels.level', row, ...say('A level is greater than 0') }];
    return upTo !== undefined && Number(upTo) < Number(level)
      ? [{ field: 'reorderLevels.upTo', row, ...say('It is filled up to no less than its level') }]
      : [];
  });
}

type Filler = (
  trx: Trx,
  context: Context,
  values: Values,
  id: string | undefined,
) => Promise<{ readonly columns?: Values; readonly problems?: readonly Problem[] }>;

const partyColumns =
  (mark: string): Filler =>
  async (trx, context, values) => {
    const gstin = typeof values.gstin === 'string' ? values.gstin : undefined;
    // the law's number says the state and the PAN; nobody types them twice
    const pan = gstin && panOfGstin(gstin);
    if (pan && values.pan && values.pan !== pan)
      return {
        problems: [{ field: 'pan', ...say('The GSTIN contains the PAN {{pan}}: correct one of the two', { pan }) }],
      };
    const derived = gstin ? { state: stateOfGstin(gstin), pan: values.pan ?? pan ?? null } : {};
    const category = gstin && values.category === 'unregistered' ? 'registered' : (values.category ?? 'unregistered');
    if (!gstin && category === 'registered')
      return { problems: [{ field: 'gstin', ...say('A registered party has a GSTIN') }] };
    return { columns: { ...derived, category, ...(!values.code && { code: await freeCode(trx, context, mark) }) } };
  };

/** Locks of those who take a free code, one for each organisation. */
const FREE_CODES = 62617;

/** The next free code of a party, as C0012. Others who ask for one wait until this transaction ends: each gets its own. */
async function freeCode(trx: Trx, { organisation }: Context, mark: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(${FREE_CODES}, ${organisation})`.execute(trx);
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(substring(code from ${`^${mark}(\\d{4,9})$`})::int), 0) + 1 as n
    from parties
    where organisation = ${organisation}
  `.execute(trx);
  return `${mark}${String(rows[0]?.n ?? 1).padStart(4, '0')}`;
}

/** A record's descendant can never become its parent. */
async function notInside(
  trx: Trx,
  context: Context,
  table: string,
  above: RawBuilder<unknown>,
  parent: unknown,
  id: string | undefined,
): ReturnType<Filler> {
  if (id === undefined || !parent) return {};
  const { rows } = await sql`
    with recursive up as (
      select ${String(parent)}::text as id
      union
      select ${above}
      from ${sql.table(table)} t
      join up on t.id::text = up.id
      where t.organisation = ${context.organisation} and ${above} <> ''
    )
    select from up
    where up.id = ${id}
  `.execute(trx);
  return rows.length > 0 ? { problems: [{ field: 'parent', ...say('It cannot be under itself') }] } : {};
}

/** Columns that follow from others, and what the shape alone cannot see. */
/** Only goods that rule 31D names are taxed on the price that is printed on them. */
const retailPriceProblems = ({ retailPrice, hsn }: Values): readonly Problem[] =>
  Number(retailPrice ?? 0) > 0 && !mayHaveRetailPrice(String(hsn ?? ''))
    ? [
        {
          field: 'retailPrice',
          ...say(
            'Only pan masala and tobacco are taxed on the retail price (rule 31D): leave it empty, or enter their HSN',
          ),
        },
      ]
    : [];

/** Batches and serial numbers are for organisations that use them; an item that has them keeps them. */
async function switchedOff(
  trx: Trx,
  { organisation, lapsed = [] }: Context,
  values: Values,
  id: string | undefined,
): Promise<Problem[]> {
  const settings = await settingsNow(trx, organisation);
  const wanted = [
    ['batched', settings.enableBatch, 'Batches are'],
    ['serialised', settings.enableSerialization, 'Serial numbers are'],
    ['hasShelfLife', settings.enableShelfLife, 'Shelf life is'],
  ] as const;
  if (values.type !== 'stock' && wanted.some(([field]) => values[field] === true))
    return [{ field: 'type', ...say('Only goods that are stocked have batches or serial numbers') }];
  if (values.hasShelfLife === true && values.batched !== true)
    return [{ field: 'hasShelfLife', ...say('Days of expiry are those of batches: keep the item in batches') }];
  const ended = lapsed.includes('parts');
  const asked = wanted.filter(([field, isOn]) => values[field] === true && (!isOn || ended));
  if (asked.length === 0) return [];
  const { rows } = await sql<{
    body: Values;
  }>`select body from items where organisation = ${organisation} and id = ${id ?? null}::uuid`.execute(trx);
  return asked.flatMap(([field, , name]) =>
    String(rows[0]?.body[field]) === 'true'
      ? []
      : [
          {
            field,
            ...(ended
              ? say('The pack with batches and serial numbers is expired')
              : say('{{name}} switched off in the configuration', { name })),
          },
        ],
  );
}

const keyOf = (label: string): string =>
  label
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 30) || 'FIELD';

/** A field that is added keeps the key it got first; a choice has something to choose from. */
const additionalColumns: Filler = async (trx, context, values, id) => {
  const choices = ((values.choices ?? []) as readonly { readonly value: string }[]).map(({ value }) => value);
  if (values.type === 'choice' && choices.length === 0)
    return { problems: [{ field: 'choices', ...say('Give at least one choice') }] };
  const twice = choices.findIndex((each, at) => choices.indexOf(each) !== at);
  if (twice >= 0) return { problems: [{ field: 'choices.value', row: twice, ...say('This choice already exists') }] };
  const { rows } = await sql<{
    id: string;
    code: string;
    name: string;
  }>`select id, code, name from masters where organisation = ${context.organisation} and master = 'additionalField'`.execute(
    trx,
  );
  const others = rows.filter((row) => row.id !== id);
  if (others.some(({ name }) => name.toLowerCase() === String(values.label).toLowerCase()))
    return { problems: [{ field: 'label', ...say('There is an additional field of this name') }] };
  if (id !== undefined) return {};
  const first = keyOf(String(values.label));
  const taken = new Set(others.map(({ code }) => code));
  const free = [first, ...Array.from({ length: others.length + 1 }, (_, n) => `${first}_${n + 2}`)].find(
    (key) => !taken.has(key),
  );
  return { columns: { code: free } };
};

/** Every printed document has what the law asks for; of the templates of a kind one is the default. */
const templateColumns: Filler = async (trx, context, values, id) => {
  const problems = columnProblems(values.columns, values.kinds);
  if (problems.length > 0 || values.isDefault !== true) return { problems };
  const { rows } = await sql<{
    name: string;
    kind: string;
  }>`
    select t.name, k.kind
    from masters t
    cross join unnest(${values.kinds as string[]}::text[]) k(kind)
    where t.organisation = ${context.organisation}
      and t.master = 'paperTemplate'
      and t.active
      and t.id is distinct from ${id ?? null}::uuid
      and (t.body ->> 'isDefault') = 'true'
      and t.body -> 'kinds' ? k.kind
    limit 1
  `.execute(trx);
  return {
    problems: rows.map(({ name, kind }) => ({
      field: 'kinds',
      ...say('{{name}} is the default for {{kind}} already', { name, kind: kindCalled(kind)?.label ?? kind }),
    })),
  };
};

/** A rate of its own makes a charge a line with its code; what comes after tax has neither. */
const adjustmentColumns: Filler = async (_trx, _context, { sort, gstRate, hsn, amount }) => {
  const after = sort !== 'charge';
  const coded = typeof hsn === 'string' && hsn !== '';
  const wrong = !after && gstRate !== undefined ? hsnProblem(String(hsn ?? ''), undefined) : undefined;
  return {
    problems: [
      ...(after && gstRate !== undefined
        ? [{ field: 'gstRate', ...say('An amount added after tax is not taxed: make it a charge') }]
        : []),
      ...(after && coded ? [{ field: 'hsn', ...say('Only a charge has an HSN or SAC') }] : []),
      ...(wrong ? [{ field: 'hsn', ...wrong }] : []),
      ...(!after && gstRate === undefined && coded
        ? [{ field: 'gstRate', ...say('Give the rate that belongs to this HSN or SAC') }]
        : []),
      ...(amount !== undefined && Number(amount) <= 0
        ? [{ field: 'amount', ...say('An amount is greater than 0') }]
        : []),
    ],
  };
};

/** Of the terms of a kind one is the default; a bank account too, of all. */
const oneDefault =
  (master: 'terms' | 'bank', field: string, within: (values: Values) => RawBuilder<unknown>): Filler =>
  async (trx, { organisation }, values, id) => {
    if (values.isDefault !== true) return {};
    const { rows } = await sql<{
      name: string;
    }>`
      select name
      from masters
      where organisation = ${organisation}
        and master = ${master}
        and active
        and id is distinct from ${id ?? null}::uuid
        and body ->> 'isDefault' = 'true'
        and ${within(values)}
      limit 1
    `.execute(trx);
    return {
      problems: rows.map(({ name }) => ({
        field,
        ...say('{{name}} is the default already: take that off it first', { name }),
      })),
    };
  };

const oneDefaultBank = oneDefault('bank', 'bankName', () => sql`true`);
const bankOf: Filler = (trx, context, values, id) =>
  /^[A-Z]{4}0[A-Z0-9]{6}$/.test(String(values.ifsc))
    ? oneDefaultBank(trx, context, values, id)
    : Promise.resolve({
        problems: [{ field: 'ifsc', ...say('An IFSC has four capital letters, a zero, and six letters or digits') }],
      });

/** A certificate is for somebody with a PAN, lowers the rate of its section, and allows no less than was paid under it already. */
const certificateColumns: Filler = async (trx, context, values, id) => {
  const { rows } = await sql<{
    pan: string | null;
    used: string;
  }>`
    select pan, certificate_used(organisation, ${id ?? null}::uuid) as used
    from parties
    where organisation = ${context.organisation} and id = ${values.party}::uuid
  `.execute(trx);
  const usual = tdsRate(String(values.section), String(values.from));
  return {
    problems: [
      ...(String(values.to) < String(values.from) ? [{ field: 'to', ...say('It does not end before it begins') }] : []),
      ...(rows[0] && rows[0].pan === null
        ? [{ field: 'party', ...say('A certificate is issued on a PAN: enter that of the supplier first') }]
        : []),
      ...(usual !== undefined && Number(values.rate) >= usual
        ? [{ field: 'rate', ...say('The section itself asks for {{usual}} %', { usual: percentText(usual) }) }]
        : []),
      ...(Number(values.limit) <= 0 ? [{ field: 'limit', ...say('Enter the amount it is issued for') }] : []),
      ...(Number(values.limit) > 0 && Number(values.limit) < Number(rows[0]?.used ?? 0)
        ? [
            {
              field: 'limit',
              ...say('{{used}} was paid under it already', { used: rupeesText(Number(rows[0]?.used)) }),
            },
          ]
        : []),
    ],
  };
};

/** A PIN code belongs to the state of its place: the portals refuse another (3039, 437). */
const placeProblems = (values: Values, registered: string | undefined): Problem[] => {
  const [state, pincode] = [String(values.state || registered || ''), String(values.pincode ?? '')];
  if (state === '' || pincode === '' || pincodeFits(pincode, state)) return [];
  return [
    {
      field: 'pincode',
      ...say('This PIN code does not belong to {{state}}: check it, or choose the state of the place', {
        state: stateName(state) ?? state,
      }),
    },
  ];
};

export const fillers: Readonly<Partial<Record<MasterName, Filler>>> = {
  customer: partyColumns('C'),
  consumer: partyColumns('C'),
  supplier: partyColumns('S'),
  item: async (trx, context, values, id) => {
    const { isTemplate, problems } = await templateOf(trx, context, values, id);
    const code = typeof values.barcode === 'string' ? barcodeProblem(values.barcode) : undefined;
    const hsn =
      typeof values.hsn === 'string' && values.hsn !== ''
        ? hsnProblem(values.hsn, values.type === 'service')
        : undefined;
    return {
      problems: [
        ...problems,
        ...levelProblems(values),
        ...(await levelDecimals(trx, context, values)),
        ...(hsn ? [{ field: 'hsn', ...hsn }] : []),
        ...retailPriceProblems(values),
        ...shelfLifeProblems(values),
        ...(await switchedOff(trx, context, values, id)),
        ...(code ? [{ field: 'barcode', ...code }] : []),
      ],
      columns: {
        is_template: isTemplate,
        service: values.type === 'service',
        stocked: values.type === 'stock',
        cess_rate: values.cessRate ?? 0,
        cess_per_unit: values.cessPerUnit ?? 0,
        credit_blocked: values.creditBlocked ?? false,
        scrap: values.scrap ?? false,
      },
    };
  },
  attribute: async (trx, context, values, id) => ({ problems: await usedValuesStay(trx, context, values, id) }),
  registration: async (trx, context, values, id) => {
    const gstin = typeof values.gstin === 'string' ? values.gstin : undefined;
    if (gstin && stateOfGstin(gstin) !== values.state)
      return { problems: [{ field: 'state', ...say('The GSTIN begins with another state') }] };
    const statuses = await statusesFit(trx, context, values, id);
    if (statuses.length > 0) return { problems: statuses };
    const { rows } = await sql<{
      name: string;
    }>`
      select legal_name as name
      from registrations
      where organisation = ${context.organisation} and gstin is null and id is distinct from ${id ?? null}::uuid
      limit 1
    `.execute(trx);
    if (!gstin && rows[0])
      return {
        problems: [
          { field: 'gstin', ...say('There is already a registration without GSTIN: {{rows}}', { rows: rows[0].name }) },
        ],
      };
    const filing: (Said & { readonly row: number })[] = filingPeriodProblems(
      (Array.isArray(values.filing) ? values.filing : []) as readonly FilingPeriod[],
    );
    const known =
      (await sql<{ all: readonly Turnover[] }>`select turnovers(${context.organisation}) as "all"`.execute(trx)).rows[0]
        ?.all ?? [];
    filing.push(
      ...quarterlyProblems(
        (Array.isArray(values.filing) ? values.filing : []) as readonly FilingPeriod[],
        known,
        gstin?.slice(2, 12),
      ),
    );
    const moved = id === undefined ? undefined : await filedOtherwise(trx, context, id, values);
    if (moved) filing.push(moved);
    const turnover = turnoverProblems(
      (Array.isArray(values.turnover) ? values.turnover : []) as readonly { readonly year?: unknown }[],
      context.today,
    );
    const stops = stopProblems((Array.isArray(values.stops) ? values.stops : []) as readonly Stop[]);
    const problems = [
      ...placeProblems(values, undefined),
      ...filing.map(({ row, ...said }) =>
        row < 0 ? { field: 'filing', ...said } : { field: 'filing.from', row, ...said },
      ),
      ...stops.map((each) => ({ ...each, field: `stops.${each.field}` })),
      ...turnover.map((each) => ({ ...each, field: 'turnover.year' })),
    ];
    // here, while its own status is still as before; a problem found later undoes it
    if (problems.length === 0 && id !== undefined) await saveFollowers(trx, context, id, values);
    return {
      problems,
      columns: { trade_name: values.tradeName ?? '' },
    };
  },
  location: async (trx, context, values) => {
    const { rows } = await sql<{
      state: string;
    }>`select state from registrations where organisation = ${context.organisation} and id = ${values.registration}::uuid`.execute(
      trx,
    );
    const problems = placeProblems(values, rows[0]?.state);
    return { problems, columns: { is_tax: values.isTax ?? false, is_physical: values.isPhysical ?? false } };
  },
  ledger: async (trx, context, values, id) => {
    const currency =
      typeof values.currency === 'string' && values.currency.trim() !== ''
        ? values.currency.trim().toUpperCase()
        : null;
    const { rows } = await sql<{
      nature: Nature;
      before: string | null;
      other: boolean;
      used: boolean;
      currency: string | null;
    }>`
      select
        nature,
        (
          select currency from ledgers o where o.organisation = g.organisation and o.id = ${id ?? null}::uuid
        ) as currency,
        (
          select nature from ledgers o where o.organisation = g.organisation and o.id = ${id ?? null}::uuid
        ) as before,
        exists (
          select from ledgers o
          where o.organisation = g.organisation
            and o.id = ${id ?? null}::uuid
            and o.role is not null
            and not is_money(o.is_bank, o.role)
        ) as other,
        exists (
          select from ledger_month_totals t where t.organisation = g.organisation and t.ledger = ${id ?? null}::uuid
        ) as used
      from ledgers g
      where organisation = ${context.organisation} and id = ${values.group}::uuid and is_group
    `.execute(trx);
    const [group] = rows;
    if (group?.used && group.before !== group.nature)
      return {
        problems: [
          {
            field: 'group',
            ...say('Group cannot become one of {{nature}} any more: amounts are posted to this ledger as {{before}}', {
              nature: group.nature,
              before: group.before,
            }),
          },
        ],
      };
    // a ledger that postings use for something else is no place for money, nor is income, an expense or capital
    if (values.isBank === true && (group?.other || (group && group.nature !== 'asset' && group.nature !== 'liability')))
      return {
        problems: [
          {
            field: 'isBank',
            ...say('Only a ledger of assets or liabilities that has no other use in the books is a bank or cash'),
          },
        ],
      };
    const inCurrency = group && currencyProblem(currency, group, values.isBank === true);
    if (inCurrency) return { problems: [{ field: 'currency', ...inCurrency }] };
    if (!group) return { problems: [{ field: 'group', ...say('Choose an account group') }] };
    const hsn = typeof values.hsn === 'string' ? values.hsn.trim() : '';
    const wrongCode = hsn === '' ? undefined : hsnProblem(hsn, undefined);
    if (wrongCode) return { problems: [{ field: 'hsn', ...wrongCode }] };
    const isBank = values.isBank === true;
    return {
      problems: id === undefined ? [] : await stillFits(trx, context, id, { nature: group.nature, isBank }),
      columns: {
        ...{ nature: group.nature, is_bank: isBank, currency },
        ...{ hsn: hsn || null, credit_blocked: values.creditBlocked === true },
      },
    };
  },
  ledgerPosting: async (trx, context, values, effect = '') => ({
    problems: await pointingProblems(trx, context, effect, String(values.ledger)),
  }),
  accountGroup: (trx, context, values, id) =>
    notInside(trx, context, 'ledgers', sql`t."group"::text`, values.parent, id),
  category: async (trx, context, values, id) => {
    const inside = await notInside(trx, context, 'masters', sql`t.body ->> 'parent'`, values.parent, id);
    const hsn = typeof values.hsn === 'string' && values.hsn !== '' ? hsnProblem(values.hsn, undefined) : undefined;
    return { ...inside, problems: [...(inside.problems ?? []), ...(hsn ? [{ field: 'hsn', ...hsn }] : [])] };
  },
  costCentre: (trx, context, values, id) =>
    notInside(trx, context, 'cost_centres', sql`t.parent::text`, values.parent, id),
  warehouse: (trx, context, values, id) =>
    notInside(trx, context, 'masters', sql`t.body ->> 'parent'`, values.parent, id),
  terms: oneDefault('terms', 'kind', (values) => sql`body ->> 'kind' = ${String(values.kind)}`),
  bank: bankOf,
  priceList: async (trx, context, values) => ({
    problems: [...priceProblems(values), ...(await stepDecimals(trx, context, values))],
  }),
  tdsCertificate: certificateColumns,
  additionalField: additionalColumns,
  adjustment: adjustmentColumns,
  paperTemplate: templateColumns,
  unitConversion: async (trx, context, values, id) => {
    const { rows } = await sql<{
      from: string;
      to: string;
      factor: string;
    }>`
      select body ->> 'from' as "from", body ->> 'to' as "to", body ->> 'factor' as factor
      from masters
      where organisation = ${context.organisation}
        and master = 'unitConversion'
        and active
        and id is distinct from ${id ?? null}::uuid
        and coalesce(body ->> 'item', '') = ${String(values.item ?? '')}
    `.execute(trx);
    const wrong = conversionProblem(
      { from: String(values.from), to: String(values.to), factor: quantityText(Number(values.factor)) },
      rows,
    );
    const problems = wrong
      ? [{ field: 'factor', ...wrong }]
      : [...(await factorDecimals(trx, context, values)), ...(await factorUsed(trx, context, values))];
    return {
      problems,
      columns: {
        code: `${values.from}>${values.to}${values.item ? `/${values.item}` : ''}`,
        name: `${values.from} to ${values.to}`,
      },
    };
  },
  numberSeries: async (trx, context, values, id) => {
    await holdSeries(trx, context.organisation, String(values.registration));
    const pattern = patternOf(values);
    const kind = kindCalled(String(values.kind));
    const served = await sql<{
      code: string;
      next: number | null;
    }>`
      select
        l.code,
        (
          select max(c.next)
          from series_counters c
          where c.organisation = l.organisation and c.series = ${id ?? null}::uuid
        ) as next
      from locations l
      where l.organisation = ${context.organisation}
        and l.registration = ${values.registration}::uuid
        and l.active
        and not l.is_transit
        and (${values.location ?? null}::uuid is null or l.id = ${values.location ?? null}::uuid)
    `.execute(trx);
    const wrong = patternProblem(pattern, {
      gst: kind?.numbering.gst ?? false,
      date: context.today,
      locations: served.rows.map(({ code }) => code),
      next: Math.max(pattern.start, served.rows[0]?.next ?? 1),
    });
    if (wrong) return { problems: [{ field: 'prefix', ...wrong }] };
    const { rows: found } = await sql<Values>`
      select *
      from number_series
      where organisation = ${context.organisation}
        and registration = ${values.registration}::uuid
        and (active or id = ${id ?? null}::uuid)
    `.execute(trx);
    const before = found.find((r) => r.id === id);
    const rows = found.filter((r) => r !== before);
    const codes = served.rows.map(({ code }) => code);
    const clash = rows.find((r) => {
      const other = kindCalled(String(r.kind));
      if (!kind || !other) return false;
      return kind.numbering.family === other.numbering.family
        ? mayMeet(pattern, patternOf(r))
        : keepApart(kind, other) && !isAsBefore(values, before) && meetsAt(codes, pattern, patternOf(r));
    });
    if (clash)
      return {
        problems: [
          { field: 'prefix', ...say('Its numbers could meet those of {{clash}}', { clash: String(clash.name) }) },
        ],
      };
    const given = await givenAlready(trx, context, {
      id,
      registration: String(values.registration),
      numberings: kind ? numberingsBeside(kind, isAsBefore(values, before)) : [],
      pattern,
      places: served.rows,
    });
    return given
      ? { problems: [given] }
      : { columns: { suffix: values.suffix ?? '', location: values.location ?? null } };
  },
  user: personOf,
  role: async (_trx, _context, values) => ({
    problems: grantProblems((values.levels ?? {}) as object),
    columns: { type_name: values.typeName ?? '', second_factor: values.secondFactor ?? false },
  }),
  group: async (_trx, _context, values) => ({ columns: { description: values.description ?? '' } }),
};

type Linker = (trx: Trx, context: Context, id: string, values: Values) => Promise<void>;

/** What is kept beside the row: links of people, the first number series of a registration. */
export const linkers: Readonly<Partial<Record<MasterName, Linker>>> = {
  ...peopleLinkers,
  item: shareWithVariants,
  till: async (trx, context, id, values) =>
    void (await seriesOfTill(
      trx,
      context.organisation,
      { id, code: String(values.code), name: String(values.name), location: String(values.location) },
      context.today,
    )),
  registration: async (trx, context, id, values) => {
    const org = context.organisation;
    await saveStatuses(trx, context, id, values);
    const { rows } = await sql<{
      registration: string;
      prefix: string;
    }>`select registration, prefix from number_series where organisation = ${org}`.execute(trx);
    if (rows.some((s) => s.registration === id)) return;
    const all = firstSeries(
      markFor(
        String(values.state),
        rows.map((s) => s.prefix),
      ),
    );
    await sql`
      insert into number_series (organisation, id, name, kind, registration, prefix, padding)
      select ${org}, s.id, s.name, s.kind, ${id}::uuid, s.prefix, s.padding
      from unnest(
        ${all.map(() => newId())}::uuid[], ${all.map((s) => s.name)}::text[],
        ${all.map((s) => s.kind)}::text[], ${all.map((s) => s.prefix)}::text[],
        ${all.map((s) => s.padding)}::int[]
      ) as s (id, name, kind, prefix, padding)
    `.execute(trx);
  },
};

/** Why a ledger cannot take this currency; undefined when it can. What is posted to it already fixes the one that it has. */
function currencyProblem(
  wanted: string | null,
  ledger: { readonly currency: string | null },
  isBank: boolean,
): Said | undefined {
  if (wanted === 'INR') return say('Leave the currency empty for rupees');
  if (wanted === ledger.currency) return undefined;
  if (wanted === null) return undefined;
  if (!Object.hasOwn(currencyNames, wanted)) return say('A currency has three letters, as USD');
  return isBank ? undefined : say('Only a bank account or cash is kept in another currency: tick Bank or cash');
}
