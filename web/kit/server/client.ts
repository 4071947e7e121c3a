import routes from 'virtual:routes';
import type { calls } from '../../../contract/calls.ts';
import { client } from '../../../contract/contract.ts';
import { send } from './api.ts';

/** Every call of the contract by its name, with its types. Calls that change data are always posted. Throws `Refused`. */
export const api = client<typeof calls>(routes, (name, { service, method }, input, key) =>
  send(method, `/api/${service}/${name}`, input, key ? { idempotencyKey: key } : {}),
);
