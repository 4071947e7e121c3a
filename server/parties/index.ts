import type { Handlers } from '../../contract/contract.ts';
import type { partyCalls } from '../../contract/parties.ts';
import type { Context } from '../context.ts';
import { findDuplicates, listDuplicates } from './duplicates.ts';
import { mergeParties } from './merge.ts';
import { type TaxpayerDesk, taxpayerOf } from './taxpayer.ts';

export type { TaxpayerDesk } from './taxpayer.ts';

/** The calls about parties that are more than a master. */
export const partyHandlers = (desk: TaxpayerDesk): Handlers<typeof partyCalls, Context> => ({
  FindDuplicates: findDuplicates,
  ListDuplicates: listDuplicates,
  MergeParties: mergeParties,
  GetTaxpayer: (input, context) => taxpayerOf(desk, input, context),
});
