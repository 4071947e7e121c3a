/** By what means a customer may pay through a gateway. */
export const paymentMethods = ['upi', 'card', 'netbanking', 'wallet'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
export const paymentMethodLabels: Readonly<Record<PaymentMethod, string>> = {
  upi: 'UPI',
  card: 'Card',
  netbanking: 'Net banking',
  wallet: 'Wallet',
};
