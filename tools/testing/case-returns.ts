/**
 * What the portal's file holds of each case that names a table of GSTR-1, written down by hand from its `gstr1` line and its figures.
 * A section that is not named here is not looked at: `hsn` and `doc_issue` have tests of their own.
 */
export const returnsOfCase: Readonly<
  Record<
    string,
    readonly { readonly period: string; readonly table: string; readonly file: Readonly<Record<string, unknown>> }[]
  >
> = {
  '01-intra-b2b-single-rate': [
    {
      period: '112026',
      table: '4A',
      file: b2b(
        { val: 14750, pos: '27', inv_typ: 'R', rchrg: 'N' },
        { rt: 18, txval: 12500, camt: 1125, samt: 1125, csamt: 0 },
      ),
    },
  ],
  '02-inter-multirate-line-discount': [
    {
      period: '112026',
      table: '4A',
      file: b2b(
        { val: 10384, pos: '29', inv_typ: 'R' },
        { rt: 5, txval: 5394.6, iamt: 269.73 },
        { rt: 18, txval: 3999.99, iamt: 720 },
      ),
    },
  ],
  '03-half-paise': [
    {
      period: '112026',
      table: '4A',
      file: b2b({ val: 227, pos: '27' }, { rt: 18, txval: 192.19, camt: 17.3, samt: 17.3 }),
    },
  ],
  '04-pos-inclusive-18': [
    {
      period: '112026',
      table: '7',
      file: { b2cs: [{ sply_ty: 'INTRA', pos: '27', rt: 18, txval: 846.61, camt: 76.19, samt: 76.19 }] },
    },
  ],
  '05-inclusive-ad-valorem-cess': [
    {
      period: '062025',
      table: '7',
      file: { b2cs: [{ sply_ty: 'INTRA', pos: '27', rt: 28, txval: 185.71, camt: 26, samt: 26, csamt: 22.29 }] },
    },
  ],
  '06-inclusive-specific-cess': [
    {
      period: '072025',
      table: '4A',
      file: b2b({ val: 25615 }, { rt: 5, txval: 20490.24, camt: 512.26, samt: 512.26, csamt: 4100 }),
    },
  ],
  '07-freight-apportioned': [
    {
      period: '112026',
      table: '4A',
      file: b2b(
        { val: 20171 },
        { rt: 5, txval: 5294.12, camt: 132.35, samt: 132.35 },
        { rt: 18, txval: 10588.23, camt: 952.94, samt: 952.94 },
      ),
    },
    {
      period: '112026',
      table: '8',
      file: { nil: { inv: [{ sply_ty: 'INTRAB2B', expt_amt: 2117.65, nil_amt: 0, ngsup_amt: 0 }] } },
    },
  ],
  '08-partial-return-multirate': [
    {
      period: '112026',
      table: '9B',
      file: {
        cdnr: [
          {
            nt: [
              {
                ntty: 'C',
                val: 3889,
                pos: '27',
                itms: [
                  { itm_det: { rt: 5, txval: 1323.53, camt: 33.09, samt: 33.09 } },
                  { itm_det: { rt: 18, txval: 2117.65, camt: 190.59, samt: 190.59 } },
                ],
              },
            ],
          },
        ],
      },
    },
  ],
  '12-export-lut-fx-gain': [
    {
      period: '082026',
      table: '6A',
      file: { exp: [{ exp_typ: 'WOPAY', inv: [{ val: 2190000, itms: [{ txval: 2190000, iamt: 0 }] }] }] },
    },
  ],
  '13-export-with-igst': [
    {
      period: '082026',
      table: '6A',
      file: { exp: [{ exp_typ: 'WPAY', inv: [{ val: 516840, itms: [{ rt: 18, txval: 438000, iamt: 78840 }] }] }] },
    },
  ],
  '14-sez-without-payment': [
    { period: '112026', table: '6B', file: b2b({ val: 150000, inv_typ: 'SEWOP' }, { rt: 18, txval: 150000, iamt: 0 }) },
  ],
  '15-sez-with-payment': [
    {
      period: '112026',
      table: '6B',
      file: b2b({ val: 177000, inv_typ: 'SEWP' }, { rt: 18, txval: 150000, iamt: 27000 }),
    },
  ],
  '19-tcs-scrap': [
    { period: '112026', table: '4A', file: b2b({ val: 120360 }, { rt: 18, txval: 100000, camt: 9000, samt: 9000 }) },
  ],
  '21-advance-service-and-adjustment': [
    { period: '102026', table: '4A', file: b2b({ val: 141600 }, { rt: 18, txval: 120000, camt: 10800, samt: 10800 }) },
  ],
  '22-branch-transfer-distinct': [
    { period: '112026', table: '4A', file: b2b({ val: 94400, pos: '29' }, { rt: 18, txval: 80000, iamt: 14400 }) },
  ],
  '24-doc-discount-apportioned': [
    {
      period: '112026',
      table: '4A',
      file: b2b(
        { val: 1517 },
        { rt: 5, txval: 316.66, camt: 7.92, samt: 7.92 },
        { rt: 18, txval: 950.01, camt: 85.5, samt: 85.5 },
      ),
    },
    { period: '112026', table: '8', file: { nil: { inv: [{ sply_ty: 'INTRAB2B', expt_amt: 63.34 }] } } },
  ],
  '25-round-half-rupee': [
    {
      period: '112026',
      table: '7',
      file: { b2cs: [{ sply_ty: 'INTRA', rt: 5, txval: 1175.72, camt: 29.39, samt: 29.39 }] },
    },
  ],
  '26-rsp-valuation-rule31d': [
    {
      period: '112026',
      table: '4A',
      file: b2b({ val: 52286 }, { rt: 40, txval: 38000, camt: 7142.86, samt: 7142.86 }),
    },
  ],
};

function b2b(invoice: Readonly<Record<string, unknown>>, ...rates: readonly Readonly<Record<string, unknown>>[]) {
  return { b2b: [{ inv: [{ ...invoice, itms: rates.map((itm_det) => ({ itm_det })) }] }] };
}
