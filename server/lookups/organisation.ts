import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { moduleNames, moduleOf } from '../../contract/modules.ts';
import type { namedCalls } from '../../contract/named.ts';
import { say } from '../../domain/base/say.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { logoOf } from '../kit/paper/logo.ts';
import { pngAnew } from '../kit/paper/picture.ts';
import { Problems } from '../kit/problems.ts';

type Named =
  | 'GetOrgSignUpScoring'
  | 'GetModuleFlag'
  | 'GetLogoDetails'
  | 'AddLogoDetails'
  | 'UpdateBusinessType'
  | 'GetOrgList'
  | 'BarcodeDisable';

/** What an organisation needs before it works, each with the question whether it is there. */
const steps: readonly (readonly [step: string, sql: string])[] = [
  [
    'Business type',
    `select coalesce(body ->> 'businessType', '') <> '' as done from organisations where organisation = $`,
  ],
  [
    'GST registration',
    'select exists (select from registrations where organisation = $ and gstin is not null and active) as done',
  ],
  ['Bank account', `select exists (select from masters where organisation = $ and master = 'bank' and active) as done`],
  ['A second user', 'select count(*) > 1 as done from users where organisation = $ and active'],
  ['A party', 'select exists (select from parties where organisation = $) as done'],
  ['An item', 'select exists (select from items where organisation = $) as done'],
  ['The first document', 'select exists (select from documents where organisation = $) as done'],
];

const MOST_BYTES = 256 * 1024;

/** Calls about the organisation itself. */
export const organisationHandlers: Handlers<Pick<typeof namedCalls, Named>, Context> = {
  GetOrgSignUpScoring: (_, context) =>
    context.inTransaction(async (trx) => {
      const found: { step: string; done: boolean }[] = [];
      for (const [step, question] of steps) {
        const [before = '', after = ''] = question.split('$');
        const { rows } = await sql<{
          done: boolean;
        }>`${sql.raw(before)}${context.organisation}${sql.raw(after)}`.execute(trx);
        found.push({ step, done: rows[0]?.done ?? false });
      }
      return { score: Math.round((found.filter((s) => s.done).length * 100) / found.length), steps: found };
    }),
  GetModuleFlag: async ({ ModuleName }, { settings }) => {
    const known = moduleNames.map(moduleOf).find(({ name }) => name.toLowerCase() === ModuleName.toLowerCase());
    if (!known) throw new Refusal('notFound');
    return { moduleName: known.name, enabled: known.switches.some((key) => settings[key] === true) };
  },
  GetLogoDetails: (_, context) => context.inTransaction((trx) => logoOf(trx, context.organisation)),
  AddLogoDetails: ({ name, content }, context) =>
    context.inTransaction(async (trx) => {
      const org = context.organisation;
      if (content === '') {
        await sql`update organisations set body = body - 'logo', version = version + 1 where organisation = ${org}`.execute(
          trx,
        );
        return { logo: null, name: null };
      }
      const sent = Buffer.from(content.replace(/^data:[^,]*,/, ''), 'base64');
      const bytes = pngAnew(sent);
      if (!bytes)
        throw new Refusal('fileRefused', {
          reason: say('a logo comes as a plain PNG of at most 1024 × 1024; the screen makes one of PNG, JPEG and WebP'),
        });
      if (bytes.length > MOST_BYTES) throw new Problems([{ field: 'content', ...say('A logo has at most 256 kB') }]);
      const digest = createHash('sha256').update(bytes).digest('hex');
      await sql`
        insert into files (organisation, digest, bytes, type, name)
        values (${org}, ${digest}, ${bytes}, 'image/png', ${name})
        on conflict (organisation, digest) do update
        set name = excluded.name
      `.execute(trx);
      await sql`
        update organisations
        set body = body || jsonb_build_object('logo', ${digest}::text), version = version + 1
        where organisation = ${org}
      `.execute(trx);
      return logoOf(trx, org);
    }),
  UpdateBusinessType: ({ businessType, version }, context) =>
    context.inTransaction(async (trx) => {
      const { numAffectedRows } = await sql`
        update organisations
        set body = body || jsonb_build_object('businessType', ${businessType}::text), version = version + 1
        where organisation = ${context.organisation} and version = ${version}
      `.execute(trx);
      if (numAffectedRows !== 1n) throw await staleOf(trx, context.organisation, 'organisations');
      return { version: version + 1 };
    }),
  GetOrgList: async (_, context) =>
    (
      await context.books.pool.query<{ code: string; name: string }>('select code, name from memberships_of($1)', [
        context.person,
      ])
    ).rows,
  BarcodeDisable: (_, context) =>
    context.inTransaction(async (trx) => {
      const { rows } = await sql<{
        name: string;
      }>`
        select i.name
        from item_barcodes b
        join items i on i.organisation = b.organisation and i.id = b.item and i.active
        where b.organisation = ${context.organisation}
        order by i.name
        limit 1
      `.execute(trx);
      return { canDisable: rows.length === 0, reason: rows[0] ? `the item ${rows[0].name} has a barcode` : '' };
    }),
};
