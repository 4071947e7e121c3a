import type { Handlers } from '../../contract/contract.ts';
import type { workflowCalls } from '../../contract/workflow.ts';
import { besideHandlers } from '../beside/index.ts';
import type { Context } from '../context.ts';
import { definitionHandlers } from './definitions.ts';
import { orderHandlers } from './orders.ts';

/** The service `workflow`: definitions and their versions, and the orders that go through them. */
export const workflowHandlers: Handlers<typeof workflowCalls, Context> = {
  ...definitionHandlers,
  ...orderHandlers,
  // the specification asks for comments here too: they are the same as those of every document
  GetCommentsForTransaction: async ({ TransactionId: id }, context) =>
    (await besideHandlers.GetBeside({ id }, context)).comments,
  SaveCommentsForTransaction: async ({ TransactionId: id, text }, context) =>
    (await besideHandlers.AddComment({ id, text }, context)).comments,
};
