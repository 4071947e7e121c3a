/** Demo customers: name, GSTIN, state, city, PIN code, credit days. Without a GSTIN: a consumer. GSTINs have right check digits. */
export const customers = [
  ['Asha Traders', '29AABCA1234F1Z', '29', 'Bengaluru', '560001', 30],
  ['Kaveri Electricals Private Limited', '29AADCK5678L1Z', '29', 'Mysuru', '570001', 30],
  ['Deccan Hardware Stores', '36AAFFD2211M1Z', '36', 'Hyderabad', '500001', 45],
  ['Chennai Lighting House', '33AACCC9087J1Z', '33', 'Chennai', '600001', 30],
  ['Narmada Infra Projects Limited', '27AAFCN3345P1Z', '27', 'Pune', '411001', 60],
  ['Gujarat Power Tools', '24AAGCG7788R1Z', '24', 'Ahmedabad', '380001', 30],
  ['Lotus Interiors', '29AAHFL4456D1Z', '29', 'Bengaluru', '560034', 15],
  ['Metro Office Supplies', '29AALCM6655B1Z', '29', 'Bengaluru', '560076', 30],
  ['Sunrise Builders and Developers', '32AAKFS9001Q1Z', '32', 'Kochi', '682001', 45],
  ['Mrs. Padma Subramanian', '', '29', 'Bengaluru', '560003', 0],
  ['Iqbal Ahmed', '', '29', 'Bengaluru', '560005', 0],
  ['Global Trading FZE', 'AE', '96', 'Dubai', '999999', 60],
  ['Najd Trading Establishment', 'SA', '96', 'Riyadh', '999999', 60],
] as const;

export const suppliers = [
  ['Havells Distribution Company', '29AAACH1122E1Z', '29', 'Bengaluru', '560022', 30],
  ['Finolex Cables Agency', '27AAACF2233G1Z', '27', 'Pune', '411018', 45],
  ['Anchor Switchgear Works', '27AABCA9988K1Z', '27', 'Mumbai', '400001', 30],
  ['Peenya Packaging', '29AAQFP5544N1Z', '29', 'Bengaluru', '560058', 15],
  ['Sri Balaji Transport', '29AARFS1357C1Z', '29', 'Bengaluru', '560022', 7],
  ['Rao and Associates', '29AATFR2468H1Z', '29', 'Bengaluru', '560025', 15],
  ['Kaveri Carriers', '', '29', 'Bengaluru', '560022', 7],
  ['Shenzhen Brightway Electric Company Limited', 'CN', '96', 'Shenzhen', '999999', 45],
] as const;

/** Demo items: SKU, name, HSN, GST %, unit, sale rate, purchase rate, type, category. */
export const items = [
  ['LED-9W', 'LED bulb 9 W', '85395000', '18', 'NOS', '95.00', '62.00', 'stock', 'LIGHT'],
  ['LED-TUBE', 'LED tube light 20 W', '85395000', '18', 'NOS', '240.00', '165.00', 'stock', 'LIGHT'],
  ['SW-6A', 'Modular switch 6 A', '85365020', '18', 'NOS', '48.00', '29.50', 'stock', 'WIRING'],
  ['SKT-16A', 'Modular socket 16 A', '85366990', '18', 'NOS', '112.00', '74.00', 'stock', 'WIRING'],
  ['MCB-32', 'Circuit breaker 32 A', '85362030', '18', 'NOS', '310.00', '214.00', 'stock', 'WIRING'],
  ['CBL-15', 'Copper cable 1.5 sq mm', '85444999', '18', 'MTR', '24.50', '17.20', 'stock', 'WIRING'],
  ['CBL-40', 'Copper cable 4 sq mm', '85444999', '18', 'MTR', '62.00', '45.80', 'stock', 'WIRING'],
  ['FAN-48', 'Ceiling fan 48 inch', '84145120', '18', 'NOS', '1850.00', '1290.00', 'stock', 'HOME'],
  ['GEY-15', 'Water heater 15 litre', '85161000', '18', 'NOS', '6900.00', '5150.00', 'stock', 'HOME'],
  ['SOL-100', 'Solar panel 100 W', '85414300', '5', 'NOS', '4200.00', '3100.00', 'stock', 'LIGHT'],
  ['BOOK-EL', 'Wiring handbook', '49019900', '0', 'NOS', '350.00', '220.00', 'stock', 'WIRING'],
  ['INST', 'Installation service', '998734', '18', 'OTH', '1200.00', '0.00', 'service', 'WIRING'],
] as const;

/**
 * In what parties abroad are billed, and what one of it was worth when the demo begins and how it moves, in rupees: by
 * the books and by customs.
 */
export const currencies = { SA: 'SAR', AE: 'USD', CN: 'USD' } as const;
export const rates = [
  ['USD', '84.15', '84.60'],
  ['SAR', '22.44', '22.55'],
] as const;

export const categories = [
  ['LIGHT', 'Lighting'],
  ['WIRING', 'Wiring and switches'],
  ['HOME', 'Home appliances'],
] as const;

/** What is kept in batches or has serial numbers, where both are on; no other trade touches it. */
export const partItems = [
  {
    sku: 'PAINT-4L',
    name: 'Enamel paint 4 litre',
    hsn: '32081090',
    batched: true,
    saleRate: '1150.00',
    purchaseRate: '820.00',
  },
  {
    sku: 'DRILL-13',
    name: 'Impact drill 13 mm',
    hsn: '84672100',
    serialised: true,
    saleRate: '2950.00',
    purchaseRate: '2150.00',
  },
] as const;
