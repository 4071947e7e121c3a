/** Masters of a small company as TallyPrime exports them: UTF-16 with its mark, and references that XML forbids. */

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

interface Values {
  readonly [name: string]: string | readonly Values[];
}

/** Elements of a master: texts, and lists of elements, which Tally calls `NAME.LIST`. */
const elements = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) =>
      typeof value === 'string'
        ? `<${name}>${value.startsWith('&#4;') ? `&#4; ${escaped(value.slice(4))}` : escaped(value)}</${name}>`
        : value.map((inner) => `<${name}.LIST>${elements(inner)}</${name}.LIST>`).join(''),
    )
    .join('\r\n');

/** One master: `<LEDGER NAME="Cash" RESERVEDNAME="">…</LEDGER>`. */
export const master = (type: string, name: string, values: Values = {}, reserved = ''): string =>
  `<TALLYMESSAGE xmlns:UDF="TallyUDF"><${type} NAME="${escaped(name)}" RESERVEDNAME="${escaped(reserved)}">` +
  `${elements(values)}<LANGUAGENAME.LIST><NAME.LIST TYPE="String"><NAME>${escaped(name)}</NAME></NAME.LIST>` +
  `<LANGUAGEID> 1033</LANGUAGEID></LANGUAGENAME.LIST></${type}></TALLYMESSAGE>`;

export const envelope = (messages: readonly string[]): Buffer => {
  const text =
    `<ENVELOPE>\r\n<HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER><BODY><IMPORTDATA><REQUESTDESC>` +
    `<REPORTNAME>All Masters</REPORTNAME></REQUESTDESC><REQUESTDATA>${messages.join('\r\n')}</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>`;
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
};

const rates = (rate: string, words: readonly [string, string, string]): Values => ({
  STATEWISEDETAILS: [
    {
      STATENAME: '&#4;Any',
      RATEDETAILS: [
        { GSTRATEDUTYHEAD: words[0], GSTRATE: ` ${Number(rate) / 2}` },
        { GSTRATEDUTYHEAD: words[1], GSTRATE: ` ${Number(rate) / 2}` },
        { GSTRATEDUTYHEAD: words[2], GSTRATE: ` ${rate}` },
      ],
    },
  ],
});
const newWords = ['CGST', 'SGST/UTGST', 'IGST'] as const;
const oldWords = ['Central Tax', 'State Tax', 'Integrated Tax'] as const;

/** A company that moves on 1 April 2026. Its trial balance adds up. */
export const smallCompany: readonly string[] = [
  master('CURRENCY', '₹', { EXPANDEDSYMBOL: 'INR' }),
  // a ledger before its group, and a group that has another name than the one it was given
  master('LEDGER', 'Acme & Sons', {
    PARENT: 'South Debtors',
    ISBILLWISEON: 'Yes',
    OPENINGBALANCE: '-1180.00',
    BILLCREDITPERIOD: '30 Days',
    LEDGERMOBILE: '9845012345',
    LEDMAILINGDETAILS: [
      {
        APPLICABLEFROM: '20250401',
        STATE: 'Karnataka',
        COUNTRY: 'India',
        PINCODE: '560001',
        ADDRESS: [{ ADDRESS: '12 Brigade Road' }],
      },
      { APPLICABLEFROM: '20170701', STATE: 'Kerala', COUNTRY: 'India', PINCODE: '682001' },
    ],
    LEDGSTREGDETAILS: [{ APPLICABLEFROM: '20250401', GSTREGISTRATIONTYPE: 'Regular', GSTIN: '29AAGCS4821F1ZB' }],
    BILLALLOCATIONS: [
      { NAME: 'A/1', BILLDATE: '20260310', BILLCREDITPERIOD: '30 Days', OPENINGBALANCE: '-1500.00' },
      { NAME: 'ADV/7', BILLDATE: '20260320', ISADVANCE: 'Yes', OPENINGBALANCE: '200.00' },
    ],
  }),
  master('GROUP', 'Our Debtors', { PARENT: '&#4;Primary' }, 'Sundry Debtors'),
  master('GROUP', 'South Debtors', { PARENT: 'Our Debtors' }),
  master('GROUP', 'Side income', { PARENT: '', ISREVENUE: 'Yes', ISDEEMEDPOSITIVE: 'No' }),
  master('LEDGER', 'Zenith Mills', {
    PARENT: 'Sundry Creditors',
    OPENINGBALANCE: '2360.00',
    PARTYGSTIN: '27AAGCS4821F1ZF',
    GSTREGISTRATIONTYPE: 'Regular',
    LEDSTATENAME: 'Maharashtra',
    COUNTRYOFRESIDENCE: 'India',
    PINCODE: '400001',
    ADDRESS: [{ ADDRESS: '4 Fort Road' }, { ADDRESS: 'Mumbai' }],
  }),
  master('LEDGER', 'Cash', { PARENT: 'Cash-in-Hand', OPENINGBALANCE: '-25000.00' }, 'Cash'),
  master('LEDGER', 'HDFC Bank', { PARENT: 'Bank Accounts', OPENINGBALANCE: '-150000.00' }),
  master('LEDGER', 'Capital of Meena', { PARENT: 'Capital Account', OPENINGBALANCE: '200000.00' }),
  master('LEDGER', 'Input CGST', {
    PARENT: 'Duties & Taxes',
    TAXTYPE: 'GST',
    GSTDUTYHEAD: 'CGST',
    OPENINGBALANCE: '-900.00',
  }),
  master('LEDGER', 'Profit & Loss A/c', { PARENT: '&#4;Primary', OPENINGBALANCE: '35720.00' }),
  // the chart has one of this name, under a code of its own
  master('LEDGER', 'Office equipment', { PARENT: 'Fixed Assets', OPENINGBALANCE: '-1000.00' }),
  master('LEDGER', 'Shop rent', { PARENT: 'Indirect Expenses' }),
  master('LEDGER', 'Tips', { PARENT: 'Side income' }),
  master('LEDGER', 'Stock', { PARENT: 'Stock-in-Hand', OPENINGBALANCE: '-60000.00' }),
  master('UNIT', 'Nos', {
    ORIGINALNAME: 'Numbers',
    ISSIMPLEUNIT: 'Yes',
    DECIMALPLACES: ' 0',
    GSTREPUOM: 'NOS-NUMBERS',
  }),
  master('UNIT', 'Strip', { ORIGINALNAME: 'Strips', ISSIMPLEUNIT: 'Yes', GSTREPUOM: 'OTH-OTHERS' }),
  master('UNIT', 'Doz of 12 Nos', { ISSIMPLEUNIT: 'No', BASEUNITS: 'Doz', ADDITIONALUNITS: 'Nos', CONVERSION: '12' }),
  master('STOCKGROUP', 'Medicines', {
    PARENT: '&#4;Primary',
    GSTDETAILS: [{ APPLICABLEFROM: '20250922', TAXABILITY: 'Taxable', ...rates('5', newWords) }],
    HSNDETAILS: [{ APPLICABLEFROM: '20250922', HSNCODE: '3004', HSN: 'Medicaments' }],
  }),
  master('STOCKITEM', 'Fan 48"', {
    PARENT: '',
    BASEUNITS: 'Nos',
    OPENINGBALANCE: ' 20 Nos',
    OPENINGRATE: '2500.00/Nos',
    OPENINGVALUE: '-50000.00',
    GSTAPPLICABLE: '&#4;Applicable',
    GSTDETAILS: [
      { APPLICABLEFROM: '20170701', TAXABILITY: 'Taxable', ...rates('28', oldWords) },
      { APPLICABLEFROM: '20250922', TAXABILITY: 'Taxable', ...rates('18', oldWords) },
    ],
    HSNDETAILS: [{ APPLICABLEFROM: '20170701', HSNCODE: '84145110', HSN: 'Table fans' }],
    STANDARDPRICELIST: [
      { DATE: '20250401', RATE: '3000.00/Nos' },
      { DATE: '20260101', RATE: '3200.00/Nos' },
    ],
  }),
  master('STOCKITEM', 'Paracetamol', {
    PARENT: 'Medicines',
    BASEUNITS: 'Strip',
    ISBATCHWISEON: 'Yes',
    OPENINGBALANCE: ' 300 Strip',
    OPENINGVALUE: '-10000.00',
    BATCHALLOCATIONS: [
      { GODOWNNAME: 'Main Location', BATCHNAME: 'P1', OPENINGBALANCE: ' 250 Strip', EXPIRYPERIOD: '31-Mar-28' },
      { GODOWNNAME: 'Shop', BATCHNAME: 'P1', OPENINGBALANCE: ' -50 Strip' },
      { GODOWNNAME: 'Shop', BATCHNAME: 'P2', OPENINGBALANCE: ' 100 Strip', EXPIRYPERIOD: '30-Jun-28' },
    ],
  }),
  '<TALLYMESSAGE><VOUCHER VCHTYPE="Sales"><DATE>20260405</DATE><LEDGER NAME="Not a master"/></VOUCHER></TALLYMESSAGE>',
];
