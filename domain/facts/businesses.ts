export interface Business {
  /** As the profile of an organisation keeps it. */
  readonly label: string;
  /** Settings of a new organisation that differ from the usual ones. */
  readonly settings: Readonly<Record<string, boolean>>;
}

/** What sort of business an organisation runs. Its menu, its first settings and the steps of its set-up follow from it. */
export const businesses = {
  trader: { label: 'Trader', settings: {} },
  manufacturer: { label: 'Manufacturer', settings: {} },
  // who sells time and skill keeps no stock
  services: { label: 'Services', settings: { trackInventory: false } },
  // cash is taken in whole rupees
  shop: { label: 'Shop', settings: { autoRoundOffTotals: true } },
} as const satisfies Record<string, Business>;

export type BusinessName = keyof typeof businesses;
export const businessNames = Object.keys(businesses) as [BusinessName, ...BusinessName[]];

/** The sort that a profile names. Undefined: none, or other words of one's own. */
export const businessOf = (label: string): BusinessName | undefined =>
  businessNames.find((name) => businesses[name].label.toLowerCase() === label.trim().toLowerCase());
