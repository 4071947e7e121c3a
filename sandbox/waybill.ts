/** GENEWAYBILL as the schema lets it through; codes come as text or as numbers. */
export type Code = string | number | null | undefined;

export interface WayLine {
  readonly productName?: string | null;
  readonly productDesc?: string | null;
  readonly hsnCode: string | number;
  readonly quantity?: number | null;
  readonly qtyUnit?: string | null;
  readonly taxableAmount: number;
  readonly cgstRate?: number | null;
  readonly sgstRate?: number | null;
  readonly igstRate?: number | null;
  readonly cessRate?: number | null;
  readonly cessNonAdvol?: number | null;
}

/** What is said of the transport: with the bill, or later as its Part B. */
export interface WayTransport {
  readonly transMode?: Code;
  readonly transDocNo?: string | null;
  readonly transDocDate?: string | null;
  readonly vehicleNo?: string | null;
  readonly vehicleType?: string | null;
}

export interface WayBody extends WayTransport {
  readonly supplyType: 'O' | 'I';
  readonly subSupplyType: string | number;
  readonly subSupplyDesc?: string | null;
  readonly docType: string;
  readonly docNo: string;
  readonly docDate: string;
  readonly transactionType: string | number;
  readonly fromGstin: string;
  readonly fromTrdName?: string | null;
  readonly fromPlace?: string | null;
  readonly fromPincode: number;
  readonly fromStateCode: number;
  readonly actFromStateCode: number;
  readonly toGstin: string;
  readonly toTrdName?: string | null;
  readonly toPlace?: string | null;
  readonly toPincode: number;
  readonly toStateCode: number;
  readonly actToStateCode: number;
  readonly dispatchFromGSTIN?: string | null;
  readonly shipToGSTIN?: string | null;
  readonly totalValue?: number | null;
  readonly cgstValue?: number | null;
  readonly sgstValue?: number | null;
  readonly igstValue?: number | null;
  readonly cessValue?: number | null;
  readonly cessNonAdvolValue?: number | null;
  readonly otherValue?: number | null;
  readonly totInvValue: number;
  readonly transporterId?: string | null;
  readonly transporterName?: string | null;
  readonly transDistance: string | number;
  readonly itemList: readonly WayLine[];
}
