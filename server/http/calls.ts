import type { calls } from '../../contract/calls.ts';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Session } from '../../contract/session.ts';
import { explainAccess } from '../access/explain.ts';
import { accountHandlers } from '../accounts/index.ts';
import { additionalHandlers } from '../additional/index.ts';
import { bankingHandlers } from '../banking/index.ts';
import { besideHandlers } from '../beside/index.ts';
import { closingHandlers } from '../closing/index.ts';
import type { Context } from '../context.ts';
import { countHandlers } from '../counting/index.ts';
import { dashboardHandlers } from '../dashboards/index.ts';
import { documentHandlers, type Poster } from '../documents/index.ts';
import { einvoiceHandlers } from '../einvoice/index.ts';
import { type WayDesk, wayHandlers } from '../eway/index.ts';
import { exchangeHandlers } from '../exchange/index.ts';
import { identityHandlers, type SecondFactors, secondFactorHandlers } from '../identity/index.ts';
import { importHandlers } from '../imports/index.ts';
import { inventoryHandlers } from '../inventory/index.ts';
import { itemHandlers } from '../items/index.ts';
import type { Checkpoints } from '../kit/secrets/checkpoints.ts';
import { lookupHandlers, organisationHandlers } from '../lookups/index.ts';
import { mailHandlers, type PostOffice } from '../mail/index.ts';
import { masterHandlers, namedHandlers } from '../masters/index.ts';
import { guideHandlers } from '../organisation/index.ts';
import { pageHandlers } from '../pages/index.ts';
import { partyHandlers } from '../parties/index.ts';
import { type PaymentDesk, paymentHandlers } from '../payments/index.ts';
import { printHandlers } from '../printing/index.ts';
import { recurringHandlers } from '../recurring/index.ts';
import { reportHandlers } from '../reports/index.ts';
import { searchHandlers } from '../search/index.ts';
import { type Member, type Sessions, type SignInClient, sessionHandlers, tokenHandlers } from '../session/index.ts';
import { subscriptionHandlers } from '../subscription/index.ts';
import { tillHandlers } from '../till/index.ts';
import { trailHandlers } from '../trail/index.ts';
import { webhookHandlers } from '../webhooks/index.ts';
import { taxHandlers } from '../withheld/index.ts';
import { workflowHandlers } from '../workflow/index.ts';
import { type Founding, foundingHandlers, mayFound } from './founding.ts';

export interface Wiring {
  readonly sessions: Sessions;
  readonly client: SignInClient;
  readonly poster: Poster;
  readonly desk: WayDesk;
  readonly payments: PaymentDesk;
  readonly factors: SecondFactors;
  readonly publicUrl: string;
  /** Whether passwords are ours. */
  readonly embedded: boolean;
  /** The way out for mail; undefined where this installation has no mail server. */
  readonly post: PostOffice | undefined;
  readonly checkpoints: Checkpoints | undefined;
  /** What of this installation is pretended. */
  readonly installation: Session['installation'];
  readonly founding: Pick<Founding, 'owner' | 'signUp'>;
}

/** Every call with its handler: a call without one does not compile. */
export const allHandlers = ({
  sessions,
  client,
  poster,
  desk,
  payments,
  factors,
  publicUrl,
  embedded,
  post,
  checkpoints,
  installation,
  founding,
}: Wiring): Handlers<typeof calls, Context> => {
  const memberOf = async (context: Context, code = context.organisationCode): Promise<Member> => {
    sessions.forget(context.session);
    const member = await sessions.again(context.session, code);
    if (!member) throw new Refusal('sessionExpired');
    return member;
  };
  const documents = documentHandlers(poster);
  return {
    ...sessionHandlers({
      sessions,
      client,
      memberOf,
      embedded,
      canMail: post !== undefined,
      installed: installation,
      mayFound: (operator) => mayFound(founding.signUp, operator),
      now: factors.now,
    }),
    ...tokenHandlers,
    ...webhookHandlers({ vault: factors.vault, trial: installation.portal === 'standIn' }),
    ...secondFactorHandlers(factors, embedded, async (context) => (await memberOf(context)).secondFactor),
    ...identityHandlers({
      publicUrl,
      embedded,
      post,
      endOthers: ({ session, person }) => sessions.endOthers(session, person),
    }),
    ...foundingHandlers({ ...founding, publicUrl, memberOf }),
    ...lookupHandlers,
    ...searchHandlers,
    ExplainAccess: explainAccess,
    ...subscriptionHandlers(factors.now),
    ...masterHandlers,
    ...pageHandlers,
    ...importHandlers,
    ...namedHandlers,
    ...partyHandlers(desk),
    ...paymentHandlers(payments),
    ...additionalHandlers,
    ...trailHandlers(checkpoints),
    ...organisationHandlers,
    ...guideHandlers,
    ...documents,
    ...besideHandlers,
    ...accountHandlers({
      masters: masterHandlers,
      reports: reportHandlers,
      post: documents.PostTransactionCalls,
      banks: namedHandlers.GetBankDetails,
    }),
    GenerateDocNumberForJournal: async ({ Type, registration, date }, context) => {
      const asked = { Type, ...(registration && { registration }), ...(date && { date }) };
      const { next } = await documents.DocSeriesValidations(asked, context);
      return { next };
    },
    ...closingHandlers,
    ...bankingHandlers(poster),
    ...exchangeHandlers(poster),
    ...taxHandlers(poster, post !== undefined, installation.portal === 'standIn'),
    ...inventoryHandlers(documents),
    ...countHandlers(poster),
    ...tillHandlers(poster),
    ...itemHandlers,
    ...printHandlers(installation.portal),
    ...mailHandlers(post !== undefined),
    ...recurringHandlers,
    ...reportHandlers,
    ...dashboardHandlers,
    ...einvoiceHandlers(desk),
    ...wayHandlers(desk),
    ...workflowHandlers,
  };
};
