import type { z } from 'zod';
import type { masterCalls } from '../../../contract/master-calls.ts';

/** A row of the list of a master. */
export type MasterRecord = z.output<(typeof masterCalls)['ListMasters']['details']>['rows'][number];
/** A record as its form opens it. */
export type OpenedRecord = z.output<(typeof masterCalls)['GetMaster']['details']>;
