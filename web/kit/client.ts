import './jitless.ts';
import { client } from '../../contract/calls.ts';
import { send } from './api.ts';

/** Every call of the contract by its name, with its types. Calls that change data are always posted. Throws `Refused`. */
export const api = client((name, operation, input, key) =>
  send(
    operation.changesByGet ? 'POST' : operation.method,
    `/api/${operation.service}/${name}`,
    input,
    key ? { idempotencyKey: key } : {},
  ),
);
