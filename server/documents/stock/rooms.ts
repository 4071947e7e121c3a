import type pg from 'pg';
import { quantityText } from '../../../domain/base/decimal.ts';
import { type Said, say } from '../../../domain/base/say.ts';
import type { Id, Movement, Problem } from '../../../domain/document/document.ts';
import { Problems } from '../../kit/problems.ts';
import type { Decided } from '../posting/types.ts';

interface RoomStand {
  readonly item: Id;
  readonly room: Id;
  /** Null: there is no such stock room. */
  readonly name: string | null;
  readonly location: Id | null;
  readonly active: boolean;
  /** The least of the item that is ever in it from that day on. */
  readonly least: number;
}

type Roomed = Omit<Movement, 'room'> & { readonly room: Id };
const roomed = ({ movements }: Decided): Roomed[] =>
  movements.flatMap(({ room, ...m }) => (room === undefined ? [] : [{ ...m, room }]));

/**
 * Holds the stock rooms that lines name: they are at the place the goods move at, and where negative stock is refused, no
 * room ever holds it. Whoever moves goods in a room holds their stock balance, so nothing changes meanwhile. Nothing is asked when no
 * line names a room.
 */
export async function holdRooms(client: pg.PoolClient, all: readonly Decided[]): Promise<void> {
  const moves = all.flatMap((one) => roomed(one).map((m) => ({ ...m, date: one.request.draft.date })));
  if (moves.length === 0) return;
  const { rows } = await client.query<{ rooms: RoomStand[] | null }>({
    name: 'rooms',
    text: 'select room_facts($1, $2, $3, $4) as rooms',
    values: [
      all[0]?.request.organisation,
      moves.map((m) => m.item),
      moves.map((m) => m.room),
      moves.map((m) => m.date),
    ],
  });
  const stands = new Map<string, RoomStand>();
  for (const stand of rows[0]?.rooms ?? []) {
    const key = `${stand.item}/${stand.room}`;
    const known = stands.get(key);
    if (!known || stand.least < known.least) stands.set(key, stand);
  }
  const left = new Map([...stands].map(([key, { least }]) => [key, least]));
  for (const one of all) {
    const problems = roomed(one).flatMap((move) => problemOf(one, move, stands, left));
    if (problems.length > 0) throw new Problems(problems);
  }
}

function problemOf(
  { request }: Decided,
  { item, room, location, quantity, line }: Roomed,
  stands: ReadonlyMap<string, RoomStand>,
  left: Map<string, number>,
): Problem[] {
  const key = `${item}/${room}`;
  const stand = stands.get(key);
  const wrong = (message: Said): Problem[] => [{ field: 'lines.room', row: line - 1, ...message }];
  if (!stand || stand.name === null) return wrong(say('This stock room does not exist'));
  const cancels = request.mirrorOf !== undefined;
  if (!cancels && stand.location !== location)
    return wrong(
      say('{{stand}} is not at {{location}}', { stand: stand.name, location: request.names.location(location) }),
    );
  if (!cancels && !stand.active)
    return wrong(say('{{stand}} is retired: restore it, or choose another stock room', { stand: stand.name }));
  const held = left.get(key) ?? 0;
  left.set(key, held + quantity);
  if (quantity >= 0 || held + quantity >= 0 || request.settings.allowNegative) return [];
  return wrong(
    say('{{stand}} has {{held}} of {{item}}', {
      stand: stand.name,
      held: quantityText(Math.max(held, 0)),
      item: request.names.item(item),
    }),
  );
}
