/** What a webhook can be notified of. */
export const webhookEvents = ['documentPosted', 'documentCancelled', 'masterSaved'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** How the secret of a signature begins, so that people and scanners recognise it. */
export const WEBHOOK_SECRET_BEGINS = 'bahiwh_';

/** So many webhooks an organisation has at most. */
export const MOST_WEBHOOKS = 5;
