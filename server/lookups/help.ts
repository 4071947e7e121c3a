import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { type Screen, type ScreenName, screenCalled, screenNames, screens } from '../../contract/screens.ts';
import type { lookupCalls } from '../../contract/session.ts';
import type { Context } from '../context.ts';
import { groupHelp, screenHelp } from './help-texts.ts';

type Questions = { question: string; answer: string }[];
/** A screen by its number or its name. */
const screenAt = (asked = 'Home') => {
  const name = screenNames.find((known) => String(screens[known].id) === asked);
  return screenCalled(name ?? asked);
};

/** What the product itself says: of the screen, or the one it stands under, then of its group. */
const productHelp = (screen: Screen | undefined) => [
  ...(screenHelp[(screen?.parent ?? 'Home') as ScreenName] ?? []),
  ...(groupHelp[screen?.group ?? 'Home'] ?? []),
];

/** What is asked about a screen: of the organisation, else of the installation, else of the product. */
export const helpHandlers: Handlers<
  Pick<typeof lookupCalls, 'GetHelpContent' | 'SaveHelpContent' | 'SaveDefaultHelp'>,
  Context
> = {
  GetHelpContent: ({ screenId }, context) =>
    context.inTransaction(async (trx) => {
      const screen = screenAt(screenId);
      const { rows } = await sql<{
        content: Questions;
      }>`
        select coalesce(
          (
            select content
            from help_texts
            where organisation = ${context.organisation} and screen = ${screen?.id ?? 0}
          ),
          (select content from help_defaults where screen = ${screen?.id ?? 0})
        ) as content
      `.execute(trx);
      return {
        screenId: screenId ?? '',
        content: rows[0]?.content ?? productHelp(screen).map(([question, answer]) => ({ question, answer })),
      };
    }),
  SaveHelpContent: async ({ screenId, content }, context) => {
    const screen = screenAt(screenId);
    if (!screen) throw new Refusal('notFound');
    await context.inTransaction((trx) =>
      (content.length === 0
        ? sql`delete from help_texts where organisation = ${context.organisation} and screen = ${screen.id}`
        : sql`
          insert into help_texts (organisation, screen, content)
          values (${context.organisation}, ${screen.id}, ${JSON.stringify(content)}::jsonb)
          on conflict (organisation, screen) do update
          set content = excluded.content, changed_at = now()
        `
      ).execute(trx),
    );
    return (await helpHandlers.GetHelpContent({ screenId }, context)).content;
  },
  SaveDefaultHelp: async ({ screenId, content }, context) => {
    const screen = screenAt(screenId);
    if (!screen) throw new Refusal('notFound');
    if (content.length === 0)
      await context.books.pool.query('delete from help_defaults where screen = $1', [screen.id]);
    else
      await context.books.pool.query(
        'insert into help_defaults (screen, content) values ($1, $2::jsonb) on conflict (screen) do update set content = excluded.content',
        [screen.id, JSON.stringify(content)],
      );
    return (await helpHandlers.GetHelpContent({ screenId }, context)).content;
  },
};
