import { z } from 'zod';
import { operation } from './contract.ts';
import { chosen, day, id, said, withPeriod } from './wire.ts';

const filters = z.record(z.string(), z.string().max(100));

/** The service `reports`. Cells are text: decimals, days, names. `heading`, `depth`, `document`, `kind` steer drawing and drill-down. */
export const reportCalls = {
  RunReport: operation({
    service: 'reports',
    method: 'POST',
    changes: 'nothing',
    load: 'report',
    summary: 'The rows of a report',
    input: z.object({ report: z.string(), filters, after: z.string().optional() }),
    details: z.object({
      rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      totals: z.record(z.string(), z.string()),
      after: z.string().nullable(),
      notes: z.array(z.string()),
    }),
  }),
  ExportReport: operation({
    service: 'reports',
    method: 'POST',
    changes: 'nothing',
    load: 'export',
    securityEvent: 'exported',
    summary: 'The report as a file, base64',
    input: z.object({ report: z.string(), filters, format: z.enum(['xlsx', 'csv', 'pdf', 'json', 'journal']) }),
    details: z.object({ name: z.string(), type: z.string(), content: z.string() }),
  }),
} as const;

const period = withPeriod(
  { ...chosen, OrgBranchCode: z.string().optional(), StartDate: day, EndDate: day },
  'StartDate',
  'EndDate',
);

/** The service `notifications`, with both dashboards. */
export const dashboardCalls = {
  GetInventoryDashboradData: operation({
    service: 'notifications',
    method: 'GET',
    summary: 'Cards of the inventory dashboard with quantity per SKU',
    input: period,
    details: z.array(
      z.object({
        title: z.string(),
        total: z.string(),
        dashboardViewList: z.array(
          z.object({
            itemSKU: z.string(),
            itemName: z.string(),
            quantity: z.string(),
            /** Of the last document that moved it; empty where none did. */ channelId: z.string(),
            createdDate: z.string(),
            transactionDate: z.string(),
            transactionNumber: z.string(),
          }),
        ),
      }),
    ),
  }),
  GetOrdersDashboardData: operation({
    service: 'notifications',
    method: 'GET',
    summary: 'Cards and daily counts of the order dashboard',
    input: period,
    details: z.object({
      orderData: z.array(z.object({ title: z.string(), total: z.string(), amount: z.string() })),
      periodicData: z.array(z.object({ orderType: z.string(), orderDay: day, orderCount: z.int() })),
    }),
  }),
  GetOpenWork: operation({
    service: 'notifications',
    method: 'GET',
    summary:
      'How many documents wait for the approval of this user, and how many e-invoices and e-way bills need a hand',
    input: z.object({ OrgCode: z.string().optional() }),
    details: z.object({ approvals: z.int(), einvoices: z.int(), wayBills: z.int() }),
  }),
  GetNotifications: operation({
    service: 'notifications',
    method: 'GET',
    summary: 'What the bell shows',
    input: z.object({ OrgCode: z.string().optional(), UserName: z.string().optional() }),
    details: z.array(
      z.object({
        id,
        ...said,
        link: z.string().nullable(),
        actionType: z.int().nullable(),
        at: z.string(),
      }),
    ),
  }),
  DismissNotifications: operation({
    service: 'notifications',
    method: 'POST',
    changes: 'own',
    summary: 'Dismisses one message or all',
    input: z.object({ id: id.optional() }),
    details: z.object({ left: z.int() }),
  }),
} as const;
