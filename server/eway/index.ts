import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { wayCalls } from '../../contract/eway.ts';
import { say } from '../../domain/base/say.ts';
import { partB, transportProblems } from '../../domain/tax/gst/portal/eway.ts';
import { isCancelTimeOver } from '../../domain/tax/gst/portal/irp-answer.ts';
import type { Context } from '../context.ts';
import { mustBeConnected } from '../einvoice/index.ts';
import { Problems } from '../kit/problems.ts';
import { act, type Deed } from './act.ts';
import { askForWayBill, halfDocument, listAttempts, listWayBills, transportOf, wayBillOf } from './list.ts';
import type { WayDesk } from './make.ts';
import { printWayBill } from './print.ts';

export { askForWayBill } from './list.ts';
export { makeWayBill, type WayDesk, type WayPayload } from './make.ts';
export { ABANDONED } from './record.ts';
export { noWayPortal, wayPortalAt } from './wayportal.ts';

type Part = Parameters<Handlers<typeof wayCalls, Context>['UpdateEWayBillVehicle']>[0];

/** Part B as the portal is asked for it, checked as it stands in the bill's document. */
const vehicleDeed =
  (given: Part, today: string): Deed =>
  (bill, doc) => {
    const { mode, vehicle, document } = transportOf({ ...given, distance: bill.transport.distance });
    const { mode: _mode, vehicle: _vehicle, document: _document, ...kept } = bill.transport;
    const transport = { ...kept, ...(mode && { mode }), ...(vehicle && { vehicle }), ...(document && { document }) };
    const named =
      vehicle || document ? [] : [{ field: 'vehicle', ...say('Name the vehicle or the transport document') }];
    const problems = [...named, ...halfDocument(given), ...transportProblems(transport, doc.facts.date, today)];
    if (problems.length > 0) throw new Problems(problems);
    const request = {
      ewbNo: Number(bill.number),
      ...partB(transport),
      fromPlace: given.place,
      fromState: Number(given.state),
      reasonCode: given.reason,
      reasonRem: given.remark ?? '',
    };
    return { what: 'vehicle', request, leaves: { state: 'active', transport } };
  };

/** A bill is cancelled within 24 hours of being made, or of its Part B (portal codes 315 and 728). */
const cancelDeed =
  (reason: string, remark: string, now: number): Deed =>
  (bill, doc) => {
    const from = [bill.made_at ?? '', bill.vehicle_at ?? ''].sort().at(-1) ?? '';
    if (isCancelTimeOver(from, now)) throw new Refusal('wayTooLate', { number: doc.facts.number });
    return {
      what: 'cancel',
      request: { ewbNo: Number(bill.number), cancelRsnCode: Number(reason), cancelRmrk: remark },
      leaves: { state: 'cancelled', reason: remark },
    };
  };

/** The calls about e-way bills. Making one is a job; Part B and cancelling ask the portal at once, for the user waits. */
export const wayHandlers = (desk: WayDesk): Handlers<typeof wayCalls, Context> => ({
  GetEWayBillList: (input, context) => listWayBills(input, context, desk.now()),
  GetEWayBill: ({ id }, context) => wayBillOf(id, context, desk.now()),
  GetEWayBillAttempts: ({ id }, context) => listAttempts(id, context),
  GenerateEWayBill: async (input, context) => {
    mustBeConnected(desk);
    return askForWayBill(input, 'irn', context);
  },
  GenerateEwayBillOnly: async (input, context) => {
    mustBeConnected(desk);
    return askForWayBill(input, 'direct', context);
  },
  UpdateEWayBillVehicle: async (input, context) => {
    mustBeConnected(desk);
    return act(desk, context, input.id, vehicleDeed(input, context.today));
  },
  CancelEwayBills: async ({ ids, reason, remark }, context) => {
    mustBeConnected(desk);
    let cancelled = 0;
    const left: { id: string; number: string; why: string }[] = [];
    for (const id of ids) {
      try {
        await act(desk, context, id, cancelDeed(reason, remark, desk.now()));
        cancelled += 1;
      } catch (error) {
        // one alone is refused as such; of several each that stays says why
        if (!(error instanceof Refusal) || ids.length === 1) throw error;
        const { number } = error.details;
        left.push({ id, number: typeof number === 'string' ? number : '', why: error.message });
      }
    }
    return { cancelled, left };
  },
  GetEWayBillByteCode: ({ EWayBillNo }, context) =>
    printWayBill(EWayBillNo, context, true, desk.installed === 'standIn'),
  GetEWayBillOnlyByteCode: ({ EWayBillNo }, context) =>
    printWayBill(EWayBillNo, context, false, desk.installed === 'standIn'),
});
