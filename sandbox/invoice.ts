/** INV-01 as the schema lets it through; optional values may be null. */
type Optional<T> = T | null | undefined;

export interface Place {
  readonly Addr1: string;
  readonly Addr2?: Optional<string>;
  readonly Loc: string;
  readonly Pin: number;
  readonly Stcd: string;
}

export interface InvoiceLine {
  readonly SlNo: string;
  readonly PrdDesc?: Optional<string>;
  readonly IsServc: 'Y' | 'N';
  readonly HsnCd: string;
  readonly Qty?: Optional<number>;
  readonly Unit?: Optional<string>;
  readonly TotAmt: number;
  readonly Discount?: Optional<number>;
  readonly AssAmt: number;
  readonly GstRt: number;
  readonly IgstAmt?: Optional<number>;
  readonly CgstAmt?: Optional<number>;
  readonly SgstAmt?: Optional<number>;
  readonly CesRt?: Optional<number>;
  readonly CesAmt?: Optional<number>;
  readonly CesNonAdvlAmt?: Optional<number>;
  readonly StateCesRt?: Optional<number>;
  readonly StateCesAmt?: Optional<number>;
  readonly StateCesNonAdvlAmt?: Optional<number>;
  readonly OthChrg?: Optional<number>;
  readonly TotItemVal: number;
}

/** Transport of the goods, as it stands in an invoice and, under the same names, in the call by IRN. */
export interface Transport {
  readonly Distance: number;
  readonly TransId?: Optional<string>;
  readonly TransName?: Optional<string>;
  readonly TransMode?: Optional<string>;
  readonly TransDocNo?: Optional<string>;
  readonly TransDocDt?: Optional<string>;
  readonly VehNo?: Optional<string>;
  readonly VehType?: Optional<string>;
}

export interface Invoice {
  readonly Version: string;
  readonly TranDtls: {
    readonly SupTyp: 'B2B' | 'SEZWP' | 'SEZWOP' | 'EXPWP' | 'EXPWOP' | 'DEXP';
    readonly RegRev?: Optional<string>;
    readonly EcmGstin?: Optional<string>;
    readonly IgstOnIntra?: Optional<string>;
  };
  readonly DocDtls: { readonly Typ: 'INV' | 'CRN' | 'DBN'; readonly No: string; readonly Dt: string };
  readonly SellerDtls: Place & { readonly Gstin: string; readonly LglNm: string; readonly TrdNm?: Optional<string> };
  readonly BuyerDtls: Omit<Place, 'Pin'> & {
    readonly Gstin: string;
    readonly LglNm: string;
    readonly TrdNm?: Optional<string>;
    readonly Pos: string;
    readonly Pin?: Optional<number>;
  };
  readonly DispDtls?: Optional<Place & { readonly Nm: string }>;
  readonly ShipDtls?: Optional<Place & { readonly LglNm: string; readonly Gstin?: Optional<string> }>;
  readonly ItemList: readonly InvoiceLine[];
  readonly ValDtls: {
    readonly AssVal: number;
    readonly CgstVal?: Optional<number>;
    readonly SgstVal?: Optional<number>;
    readonly IgstVal?: Optional<number>;
    readonly CesVal?: Optional<number>;
    readonly StCesVal?: Optional<number>;
    readonly Discount?: Optional<number>;
    readonly OthChrg?: Optional<number>;
    readonly RndOffAmt?: Optional<number>;
    readonly TotInvVal: number;
  };
  readonly ExpDtls?: Optional<{
    readonly Port?: Optional<string>;
    readonly ForCur?: Optional<string>;
    readonly CntCode?: Optional<string>;
  }>;
  readonly EwbDtls?: Optional<Transport>;
}

export const isExport = (invoice: Invoice): boolean => invoice.TranDtls.SupTyp.startsWith('EXP');
export const isSez = (invoice: Invoice): boolean => invoice.TranDtls.SupTyp.startsWith('SEZ');

/** Supplier's state against place of supply; exports and SEZ are always between states, and a flag makes others so. */
export const isBetweenStates = (invoice: Invoice): boolean =>
  isExport(invoice) ||
  isSez(invoice) ||
  invoice.TranDtls.IgstOnIntra === 'Y' ||
  invoice.SellerDtls.Gstin.slice(0, 2) !== invoice.BuyerDtls.Pos.padStart(2, '0');
