import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { itemCalls } from '../../contract/items.ts';
import { moduleOf } from '../../contract/modules.ts';
import type { GeneralConfiguration } from '../../contract/session.ts';
import type { Context } from '../context.ts';
import { settingsNow } from '../kit/settings-now.ts';
import type { Trx } from '../masters/index.ts';
import { findBarcode, generateBarcodes, listBarcodes, removeBarcode, saveBarcode } from './barcodes.ts';
import { usualOf } from './categories.ts';
import { labelsOfDocument, labelsPdf } from './labels.ts';
import { picturesOf, removePicture, savePicture, showFirst, thumbnailsOf } from './pictures.ts';
import { saveVariants, variants } from './variants.ts';

/** Codes are given where the module is on; what was given before stays readable and printable. */
const withModule = <T>(context: Context, work: (trx: Trx, settings: GeneralConfiguration) => Promise<T>): Promise<T> =>
  context.inTransaction(async (trx) => {
    const settings = await settingsNow(trx, context.organisation);
    if (!settings.enableBarCode) throw new Refusal('moduleOff', { module: moduleOf('barcode').name });
    return work(trx, settings);
  });

/** The calls about variants, pictures, barcodes and labels. */
export const itemHandlers: Handlers<typeof itemCalls, Context> = {
  GetVariants: ({ item }, context) => context.inTransaction((trx) => variants(trx, context, item)),
  SaveVariants: (input, context) => context.inTransaction((trx) => saveVariants(trx, context, input)),
  GetPictureThumbnails: ({ ids }, context) => context.inTransaction((trx) => thumbnailsOf(trx, context, ids)),
  GetItemPictures: ({ item }, context) => context.inTransaction((trx) => picturesOf(trx, context, item)),
  SaveItemPicture: (input, context) => context.inTransaction((trx) => savePicture(trx, context, input)),
  ShowItemPictureFirst: ({ id }, context) => context.inTransaction((trx) => showFirst(trx, context, id)),
  RemoveItemPicture: ({ id }, context) => context.inTransaction((trx) => removePicture(trx, context, id)),
  GetCategoryUsual: ({ category }, context) => context.inTransaction((trx) => usualOf(trx, context, category)),
  ListBarcodes: (input, context) => context.inTransaction((trx) => listBarcodes(trx, context, input)),
  FindBarcode: ({ code }, context) => context.inTransaction((trx) => findBarcode(trx, context, code)),
  SaveBarcode: (input, context) => withModule(context, (trx) => saveBarcode(trx, context, input)),
  RemoveBarcode: async ({ id }, context) => {
    await context.inTransaction((trx) => removeBarcode(trx, context, id));
    return { removed: true };
  },
  GenerateBarcodes: ({ items }, context) =>
    withModule(context, (trx, settings) => generateBarcodes(trx, context, settings, items)),
  LabelsOfDocument: ({ TransactionId }, context) => labelsOfDocument(context, TransactionId),
  PrintLabels: (input, context) => labelsPdf(context, input),
};
