/** Total GST rates in ten-thousandths of a percent, with the days they are lawful; null is open. */
export const portalRates = [
  0, 1000, 2500, 10000, 15000, 30000, 50000, 60000, 75000, 120000, 180000, 280000, 400000,
] as const;

export const slabs: readonly {
  readonly rate: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly kind: string;
  /** Only goods under these codes. */
  readonly hsn?: readonly string[];
}[] = [
  { rate: 0, from: '2017-07-01', to: null, kind: 'nil/exempt/zero-rated' },
  { rate: 1000, from: '2017-10-23', to: null, kind: 'supply to merchant exporter' },
  { rate: 2500, from: '2017-07-01', to: null, kind: 'rough precious stones' },
  {
    rate: 15000,
    from: null,
    to: null,
    kind: 'cut and polished diamonds and similar (goods, CGST 0.75); also a housing rate',
  },
  { rate: 30000, from: '2017-07-01', to: null, kind: 'gold, silver, jewellery' },
  { rate: 50000, from: '2017-07-01', to: null, kind: 'merit slab' },
  { rate: 120000, from: '2017-07-01', to: '2025-09-21', kind: 'standard slab removed by GST 2.0' },
  { rate: 180000, from: '2017-07-01', to: null, kind: 'standard slab' },
  { rate: 280000, from: '2017-07-01', to: '2025-09-21', kind: 'general 28% slab removed by GST 2.0' },
  {
    rate: 280000,
    from: '2025-09-22',
    to: '2026-01-31',
    kind: 'only pan masala, tobacco and its products (Schedule VII)',
    hsn: ['21069020', '2401', '2402', '2403', '24041100', '24041900'],
  },
  {
    rate: 400000,
    from: '2025-09-22',
    to: null,
    kind: 'special de-merit slab; from 2026-02-01 also pan masala and tobacco except biris',
  },
  { rate: 10000, from: null, to: null, kind: 'affordable housing / composition-type' },
  { rate: 60000, from: null, to: null, kind: 'special brick scheme without ITC' },
  { rate: 75000, from: null, to: null, kind: 'housing effective rate' },
];

/** Total rates of financial services, such as charges of a bank: notification 11/2017-CT(R), entry 15. */
export const financialServiceRates: readonly {
  readonly rate: number;
  readonly from: string;
  readonly to: string | null;
}[] = [{ rate: 180000, from: '2017-07-01', to: null }];
