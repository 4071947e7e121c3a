import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { masterNames } from '../../contract/masters.ts';
import { reportNames } from '../../contract/reports.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import {
  kindScreens,
  masterScreens,
  mayDo,
  type Person,
  people,
  reportScreens,
  rights,
} from '../../tools/testing/rights.ts';
import { type Samples, type SampleWorld, samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';

let server: TestServer;
let world: SampleWorld;
let samples: Samples;
const visitors = new Map<Person, Visitor>();
/** A session besides those of the table, which end with it. */
let outsider: Visitor;
const as = (person: Person): Visitor => visitors.get(person) as Visitor;
const names = Object.keys(calls) as CallName[];
const typedKinds = kindNames.filter((kind) => !kindOf(kind).life.system);

beforeAll(async () => {
  server = await testServer();
  world = await sampleWorld(server);
  samples = samplesOf(world);
  for (const person of people) visitors.set(person, await server.signIn(`${person}@sharma.demo`));
  outsider = await server.signIn('none@sharma.demo');
});
afterAll(() => server.stop());

/** Calls that learn the kind from a document: asked of those that are posted. */
const ofPosted: readonly CallName[] = [
  'GetTransactionDetailForInvoice',
  'PrintDocument',
  'GetEInvoiceAttempts',
  'GenerateIRNNumber',
  'CancelIRNNumber',
  'GetEWayBill',
  'GetEWayBillAttempts',
  'GenerateEWayBill',
  'GenerateEwayBillOnly',
  'UpdateEWayBillVehicle',
  'CancelEwayBills',
  'SendInvoiceInMail',
  'ListMails',
  'GetMailedPaper',
  'GetPaymentsOfDocument',
  'LabelsOfDocument',
  'MakePaymentLink',
  'EndPaymentLink',
  'GetStockRoomWiseNewQtyForInvoiceReturns',
  'ReleaseInventory',
  'UpdateOrderStatus',
  'UpdateQuotationOnInvoiceGeneration',
  'VerifyOrderFulfiled',
  'CloseOrder',
  'ReopenOrder',
  'GetBeside',
  'AddComment',
  'AttachFile',
  'GetAttachment',
  'RemoveAttachment',
  'CancelPosTransaction',
  'GetWorkflowStatus',
  'SaveOrUpdateWorkflowStatus',
  'LogisticSubmit',
  'GetCommentsForTransaction',
  'SaveCommentsForTransaction',
];
/** Nothing is ever typed of a kind that the product makes itself, but it is read. */
const variantsOf = (name: CallName): readonly string[] => {
  const right = rights[name];
  const of = typeof right === 'string' ? undefined : right[1];
  if (of === 'kind')
    return ofPosted.includes(name) ? [...world.posted.keys()] : right[0] === 'read' ? kindNames : typedKinds;
  if (of === 'master' || name === 'Pick') return masterNames;
  return of === 'report' ? reportNames : [''];
};
const screens = { ...kindScreens, ...masterScreens, ...reportScreens };
const screenOf = (variant: string) =>
  Object.hasOwn(screens, variant) ? screens[variant as keyof typeof screens] : undefined;

const mark = (allowed: boolean): string => (allowed ? 'yes' : '-');
type Row = readonly [call: string, variant: string, ...answers: string[]];
const table: Row[] = [];
const worked = new Set<CallName>();

describe.each([...names.filter((name) => name !== 'SignOut'), 'SignOut' as const])('%s', (name) => {
  test('is allowed and refused as the rules say', async () => {
    const wrong: string[] = [];
    for (const variant of variantsOf(name)) {
      const answers: string[] = [];
      for (const person of people) {
        const { status, details } = await as(person).call(name, samples[name](variant) as never);
        const allowed = mayDo(person, rights[name], screenOf(variant));
        const refused = status === 403 && (details as { code: string }).code === 'noAccess';
        if (allowed === refused || [401, 500].includes(status) || (status === 403 && !refused))
          wrong.push(`${variant} ${person}: ${allowed ? 'allowed' : 'refused'} by the rules, answered ${status}`);
        answers.push(mark(allowed));
        if (status === 200) worked.add(name);
      }
      table.push([name, variant, ...answers]);
    }
    expect(wrong).toEqual([]);
  });
});

/** Rows that read alike are one row with all their kinds, masters or reports. */
const page = (): string => {
  const alike = new Map<string, string[]>();
  for (const [call, variant, ...answers] of table) {
    const key = [call.padEnd(42), ...answers.map((a) => a.padEnd(11))].join('');
    alike.set(key, [...(alike.get(key) ?? []), variant]);
  }
  const head = ['call'.padEnd(42), ...people.map((p) => p.padEnd(11))].join('');
  return [head, ...[...alike].map(([key, of]) => `${key}${of.join(' ')}`.trimEnd())].join('\n');
};

/** Asked here with what they refuse for other reasons; that they work is shown by the tests of their modules. */
const shownElsewhere: readonly CallName[] = [
  'SaveOrganisation',
  'SaveDefaultHelp',
  'MakeSignInLink',
  'MailSignInLink',
  'ChangePassword',
  'ConfirmSecondFactor',
  'RenewRecoveryCodes',
  'EndSecondFactor',
  'ResetSecondFactor',
  'EndSession',
  'RevokeAccessToken',
  'MakeWebhook',
  'PauseWebhook',
  'RollWebhookSecret',
  'DeleteWebhook',
  'TestWebhook',
  'SendWebhookAgain',
  'FoundOrganisation',
  'ListOrganisations',
  'ListOperators',
  'GiveOperator',
  'TakeOperator',
  'SaveMaster',
  'RetireMaster',
  'SendImportPiece',
  'ReadImport',
  'GetImport',
  'MapImport',
  'ListImportRows',
  'MendImportRow',
  'RunImport',
  'StopImport',
  'GetRefusedRows',
  'UndoImport',
  'UpdateBusinessType',
  'AddLocation',
  'EditLocation',
  'AddNewUser',
  'UpdateUser',
  'DeleteUser',
  'AddGroups',
  'GetGroupDetails',
  'SaveDocNumber',
  'UpdateDocNumber',
  'DeleteDocnumSeries',
  'GetTermsAndConditionsById',
  'SaveTermsAndConditions',
  'GetTaxpayer',
  'MergeParties',
  'BookPayment',
  'AddAddtionalFieldsContentDetails',
  'PostTransactionCalls',
  'CancelTransaction',
  'DeleteMultipleTransaction',
  'AddtransactionItemDetails',
  'AddInvoicePartyMappingDetails',
  'AddInvoiceSummaryDetails',
  'UpdateOrderStatus',
  'UpdateQuotationOnInvoiceGeneration',
  'VerifyOrderFulfiled',
  'CloseOrder',
  'ReopenOrder',
  'SubmitForApproval',
  'WithdrawSubmission',
  'RejectDocument',
  'OpenTill',
  'TakeTill',
  'AwaitTillNumbers',
  'VoidTillNumber',
  'GetTillSession',
  'MoveTillCash',
  'CloseTill',
  'CancelPosTransaction',
  'SaveAccountMaster',
  'DeactivateAccountMaster',
  'SaveOpeningBalance',
  'AddAccountingEffects',
  'SaveLedger',
  'CloseYear',
  'ReopenYear',
  'MarkFiled',
  'GetFiledReturn',
  'UnmarkFiled',
  'MatchBankLines',
  'UnmatchBankLines',
  'PostBankLine',
  'OrderBankRules',
  'BounceReceipt',
  'DeleteBankRule',
  'DeleteExchangeRate',
  'PostRevaluation',
  'TakeBackRevaluation',
  'PostTaxChallan',
  'SaveChallanDetails',
  'SaveTaxCertificate',
  'PrintTaxCertificate',
  'MailTaxCertificate',
  'CUDInventory',
  'ReleaseInventory',
  'CancelOrDeleteTransactionInventory',
  'CancelInvoiceListScreen',
  'GetItemQtyForStockRoom',
  'GetPhysicalLocationIdForStockRoom',
  'MakeCountSheet',
  'GetCountSheet',
  'EnterCount',
  'ScanCount',
  'AddCountLine',
  'CountAgain',
  'NoteCountLines',
  'PostCountSheet',
  'DropCountSheet',
  'PrintCountSheet',
  'GetVariants',
  'SaveVariants',
  'ShowItemPictureFirst',
  'RemoveItemPicture',
  'GetCategoryUsual',
  'SaveBarcode',
  'RemoveBarcode',
  'GenerateBarcodes',
  'PrintLabels',
  'GetMailedPaper',
  'SetRecurringBill',
  'GetEInvoiceByteCode',
  'CancelIRNNumber',
  'GenerateEWayBill',
  'GenerateEwayBillOnly',
  'UpdateEWayBillVehicle',
  'CancelEwayBills',
  'GetEWayBillByteCode',
  'GetEWayBillOnlyByteCode',
  'AddModulesForOrganisation',
  'ListSubscriptionRequests',
  'DecideSubscriptionRequest',
  'ListBroadcasts',
  'SaveBroadcast',
  'EndBroadcast',
  'GetWorkFlowDefinitionById',
  'SaveWorkflow',
  'UpdateWorkflow',
  'PublishWorkflow',
  'CancelWorkflow',
  'SaveOrUpdateWorkflowStatus',
  'start',
  'action',
  'next-actions',
  'minimal',
  'LogisticSubmit',
];
test('what is allowed is also done: the samples are real', () => {
  expect(names.filter((name) => !worked.has(name))).toEqual(shownElsewhere);
});

test('the whole table, to be read and signed', async () => {
  expect(new Set(table.map(([call]) => call)).size).toBe(names.length);
  await expect(`${page()}\n`).toMatchFileSnapshot('./matrix.txt');
});

const send = (name: CallName, headers: Readonly<Record<string, string>>) => {
  const operation: Operation = calls[name];
  const posts = operation.method === 'POST' || operation.changesByGet === true;
  return fetch(`${server.url}/api/${operation.service}/${name}`, {
    method: posts ? 'POST' : 'GET',
    headers: { ...headers, ...(posts && { 'content-type': 'application/json' }) },
    ...(posts && { body: '{}' }),
  });
};

test.each(names)('%s is nothing without a session', async (name) => {
  const proof = { 'x-requested-by': 'bahi', 'idempotency-key': randomUUID() };
  expect((await send(name, proof)).status).toBe(401);
  expect((await send(name, { ...proof, cookie: 'bahi_session=nobody' })).status).toBe(401);
});

const changing = names.filter((name) => {
  const operation: Operation = calls[name];
  return operation.method === 'POST' || operation.changesByGet;
});
test.each(changing)('%s is refused without the proof of origin, and to a foreign page', async (name) => {
  const { cookie } = outsider;
  const foreign = { 'x-requested-by': 'bahi', origin: 'https://elsewhere.example' };
  const across = { 'x-requested-by': 'bahi', 'sec-fetch-site': 'cross-site' };
  for (const headers of [{}, foreign, across]) {
    const answer = await send(name, { cookie, 'idempotency-key': randomUUID(), ...headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ success: false, details: { code: 'noProof' } });
  }
});

test.each(changing.filter((name) => (calls[name] as Operation).changesByGet))(
  '%s by GET needs the proof too',
  async (name) => {
    const { cookie } = outsider;
    const answer = await fetch(`${server.url}/api/${calls[name].service}/${name}`, { headers: { cookie } });
    expect(answer.status).toBe(403);
  },
);
