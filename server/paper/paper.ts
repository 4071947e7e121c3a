import type { LabelFormat } from '../../domain/items/labels.ts';

/** A paper as it is to be printed: texts only, worked out before; the layout below only places them. */
export interface Paper {
  readonly title: string;
  /** 'Original for recipient', 'Duplicate for transporter' ... (rule 48). */
  readonly copy?: string;
  /** Endorsements the law asks for (exports, SEZ, composition, reverse charge). */
  readonly notices: readonly string[];
  readonly seller: Block;
  readonly facts: readonly Fact[];
  readonly parties: readonly Block[];
  /** What it is about, line by line; left out when there is nothing to tell. */
  readonly table?: {
    readonly columns: readonly PaperColumn[];
    readonly rows: readonly (readonly string[])[];
    readonly totals?: readonly string[];
  };
  readonly taxes?: {
    readonly columns: readonly PaperColumn[];
    readonly rows: readonly (readonly string[])[];
    readonly totals: readonly string[];
  };
  readonly sums: readonly { readonly label: string; readonly amount: string; readonly strong?: true }[];
  readonly words?: string;
  readonly bank?: Block;
  readonly terms?: string;
  readonly narration?: string;
  readonly signatory?: string;
  /** The IRN with the signed QR code of the portal; the code is missing where the portal no longer gave out what it signed. */
  readonly einvoice?: { readonly irn: string; readonly ackNo: string; readonly ackDate: string; readonly qr?: string };
  /** Another code at the top right, with what it is. */
  readonly code?: { readonly text: string; readonly says: string };
  readonly upi?: { readonly link: string; readonly id: string };
  readonly watermark?: string;
  /** The labels in a second language that is read from the right, by those of the first: both are printed. */
  readonly also?: Readonly<Record<string, string>>;
  readonly style?: PaperStyle;
}

/** What of a paper is a matter of taste; left out it is black on A4. */
export interface PaperStyle {
  readonly size: 'A4' | 'A5' | 'roll';
  /** Of headings, #rrggbb. */
  readonly colour: string;
  readonly logo?: { readonly picture: string; readonly place: 'left' | 'right' };
  /** Under the signature. */
  readonly signatory: string;
  readonly footer: string;
}

export interface Block {
  readonly heading: string;
  readonly lines: readonly string[];
}
export interface Fact {
  readonly label: string;
  readonly value: string;
}
export interface PaperColumn {
  readonly label: string;
  readonly width: number | '*' | 'auto';
  readonly right?: true;
}

/** The head of a report as paper: its filters, and one wide table. */
export interface Sheet {
  readonly title: string;
  readonly organisation: string;
  readonly subtitle: string;
  readonly columns: readonly PaperColumn[];
}

/** The head of a report as a spreadsheet: cells of text, and numbers in the columns that have a format. */
export interface Workbook {
  readonly title: string;
  readonly organisation: string;
  readonly subtitle: string;
  readonly columns: readonly { readonly label: string; readonly format?: string }[];
  /** Only a row of headings above the rows: as it is read again. */
  readonly bare?: true;
}

/** A row of either; its totals are the last one. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly depth?: number;
  readonly strong?: boolean;
}

/** Labels in the order in which they stand on their sheets. */
export interface Labels {
  readonly format: LabelFormat;
  /** Places of the first sheet that are used up. */
  readonly skip: number;
  readonly labels: readonly {
    readonly name?: string | undefined;
    readonly barcode: string;
    readonly symbology: string;
    /** Under the code: the SKU, the price. */
    readonly lines: readonly string[];
  }[];
}
