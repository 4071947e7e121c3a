import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { MOST_PICTURES } from '../../domain/items/pictures.ts';
import type { Context } from '../context.ts';
import { newId } from '../kit/ids.ts';
import { pngAnew } from '../kit/paper/picture.ts';
import { thumbnail } from '../kit/paper/thumbnail.ts';
import { Problems } from '../kit/problems.ts';
import type { Trx } from '../masters/index.ts';

type Calls = typeof itemCalls;
const MOST_BYTES = 1024 * 1024;

/** The pictures of an item, the first one first; a variant without any shows those of its template. */
export async function picturesOf(
  trx: Trx,
  { organisation }: Context,
  item: Id,
): Promise<Answer<Calls['GetItemPictures']>> {
  const { rows } = await sql<{
    template: Id | null;
  }>`select template from items where organisation = ${organisation} and id = ${item}::uuid`.execute(trx);
  const [known] = rows;
  if (!known) throw new Refusal('notFound');
  const own = await pictures(trx, organisation, item);
  const shared = own.length === 0 && known.template !== null;
  return {
    ofTemplate: shared,
    pictures: shared && known.template ? await pictures(trx, organisation, known.template) : own,
  };
}

async function pictures(
  trx: Trx,
  organisation: number,
  item: Id,
): Promise<Answer<Calls['GetItemPictures']>['pictures']> {
  const { rows } = await sql<{ id: Id; name: string; type: string; bytes: Buffer }>`
    select p.id, p.name, f.type, f.bytes
    from item_pictures p
    join files f on f.organisation = p.organisation and f.digest = p.digest
    where p.organisation = ${organisation} and p.item = ${item}::uuid
    order by p.place, p.id
  `.execute(trx);
  return rows.map(({ id, name, type, bytes }) => ({
    id,
    name,
    picture: `data:${type};base64,${bytes.toString('base64')}`,
  }));
}

/** Keeps a picture after those the item has, written anew from its pixels. */
export async function savePicture(
  trx: Trx,
  context: Context,
  { item, name, content }: Input<Calls['SaveItemPicture']>,
): Promise<Answer<Calls['SaveItemPicture']>> {
  const org = context.organisation;
  // two who add pictures to one item do it one after the other
  const { rows } = await sql`select from items where organisation = ${org} and id = ${item}::uuid for update`.execute(
    trx,
  );
  if (rows.length === 0) throw new Refusal('notFound');
  const bytes = pngAnew(Buffer.from(content.replace(/^data:[^,]*,/, ''), 'base64'));
  if (!bytes)
    throw new Refusal('fileRefused', {
      reason: say('a picture comes as a plain PNG of at most 1024 × 1024; the screen makes one of PNG, JPEG and WebP'),
    });
  if (bytes.length > MOST_BYTES) throw new Problems([{ field: 'content', ...say('A picture has at most 1 MB') }]);
  const there = await sql<{
    n: number;
    last: number;
  }>`
    select count(*)::int as n, coalesce(max(place), 0) as last
    from item_pictures
    where organisation = ${org} and item = ${item}::uuid
  `.execute(trx);
  const { n = 0, last = 0 } = there.rows[0] ?? {};
  if (n >= MOST_PICTURES)
    throw new Problems([
      { field: 'content', ...say('An item has at most {{mostPictures}} pictures', { mostPictures: MOST_PICTURES }) },
    ]);
  const digest = createHash('sha256').update(bytes).digest('hex');
  await sql`
    insert into files (organisation, digest, bytes, type, name)
    values (${org}, ${digest}, ${bytes}, 'image/png', ${name})
    on conflict (organisation, digest) do nothing
  `.execute(trx);
  const small = thumbnail(bytes);
  if (small)
    await sql`
      insert into thumbnails (organisation, digest, bytes)
      values (${org}, ${digest}, ${small})
      on conflict (organisation, digest) do nothing
    `.execute(trx);
  await sql`
    insert into item_pictures (organisation, id, item, place, digest, name)
    values (${org}, ${newId()}, ${item}::uuid, ${last + 1}, ${digest}, ${name})
    on conflict (organisation, item, digest) do nothing
  `.execute(trx);
  return picturesOf(trx, context, item);
}

/** Small ones, for a list. Those of pictures that were kept before there were small ones are made now. */
export async function thumbnailsOf(
  trx: Trx,
  { organisation }: Context,
  ids: readonly Id[],
): Promise<Answer<Calls['GetPictureThumbnails']>> {
  const { rows } = await sql<{ id: Id; small: Buffer | null; whole: Buffer | null }>`
    select p.id, t.bytes as small, case when t.bytes is null then f.bytes end as whole
    from item_pictures p
    join files f on f.organisation = p.organisation and f.digest = p.digest
    left join thumbnails t on t.organisation = p.organisation and t.digest = p.digest
    where p.organisation = ${organisation} and p.id = any(${[...ids]}::uuid[])
  `.execute(trx);
  return rows.flatMap(({ id, small, whole }) => {
    const bytes = small ?? (whole && thumbnail(whole));
    return bytes ? [{ id, picture: `data:image/png;base64,${bytes.toString('base64')}` }] : [];
  });
}

/** Puts a picture before all others of its item. */
export async function showFirst(trx: Trx, context: Context, id: Id): Promise<Answer<Calls['ShowItemPictureFirst']>> {
  const { rows } = await sql<{
    item: Id;
  }>`
    update item_pictures p
    set place = (
      select min(place) - 1 from item_pictures o where o.organisation = p.organisation and o.item = p.item
    )
    where p.organisation = ${context.organisation} and p.id = ${id}::uuid
    returning item
  `.execute(trx);
  if (!rows[0]) throw new Refusal('notFound');
  return picturesOf(trx, context, rows[0].item);
}

export async function removePicture(trx: Trx, context: Context, id: Id): Promise<Answer<Calls['RemoveItemPicture']>> {
  const { rows } = await sql<{
    item: Id;
  }>`delete from item_pictures where organisation = ${context.organisation} and id = ${id}::uuid returning item`.execute(
    trx,
  );
  if (!rows[0]) throw new Refusal('notFound');
  return picturesOf(trx, context, rows[0].item);
}
