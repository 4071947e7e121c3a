import type { Handlers } from '../../contract/contract.ts';
import type { exchangeCalls } from '../../contract/exchange.ts';
import type { Context } from '../context.ts';
import type { Poster } from '../documents/index.ts';
import {
  deleteExchangeRate,
  getExchangeRate,
  importExchangeRates,
  listExchangeRates,
  readExchangeRates,
  saveExchangeRate,
} from './rates.ts';
import { listRevaluations, postRevaluation, previewRevaluation, takeBackRevaluation } from './revalue.ts';

export { importExchangeRates } from './rates.ts';

/** The calls about currencies: their rates by day, and balances brought to the rate of one. */
export const exchangeHandlers = (poster: Poster): Handlers<typeof exchangeCalls, Context> => ({
  ListExchangeRates: listExchangeRates,
  GetExchangeRate: getExchangeRate,
  SaveExchangeRate: saveExchangeRate,
  DeleteExchangeRate: deleteExchangeRate,
  ReadExchangeRates: readExchangeRates,
  ImportExchangeRates: importExchangeRates,
  PreviewRevaluation: previewRevaluation,
  PostRevaluation: (asked, context) => postRevaluation(poster, asked, context),
  ListRevaluations: (_, context) => listRevaluations(context),
  TakeBackRevaluation: (asked, context) => takeBackRevaluation(poster, asked, context),
});
