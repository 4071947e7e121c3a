export { webhookHandlers } from './handlers.ts';
export { signatureOf } from './send.ts';
export { dueWebhooks, oldDeliveries, sendWebhook } from './task.ts';
