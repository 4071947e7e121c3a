import { createRequire } from 'node:module';

type Anchor = object | null;
/** Of the font library's own class that places marks at their letters. */
interface Placing {
  missed?: boolean;
  applyAnchor(record: { readonly markAnchor: Anchor }, base: Anchor, glyph: number): void;
  applyLookup(type: number, table: unknown): boolean;
}
interface Shaped {
  layout(text: string): unknown;
  readonly _layoutEngine?: { readonly engine?: { readonly GPOSProcessor?: Placing } };
}

// the PDF library requires it: an import would be another copy of the same classes
const { openSync } = createRequire(import.meta.url)('fontkit') as { openSync(file: string): Shaped };
let mended = false;

/**
 * A letter need not have a place for every class of marks (OpenType GPOS, lookups 4 to 6: the offset may be NULL, and the
 * lookup does not apply then). The font library reads through the NULL and throws, so that no paper with such a letter is
 * printed. Here the lookup is passed over, as the standard says. Throws when the library is no longer made like that.
 */
export function mendMarks(fontFile: string): void {
  if (mended) return;
  const font = openSync(fontFile);
  font.layout('x');
  const placing = font._layoutEngine?.engine?.GPOSProcessor;
  if (!placing) throw new Error('the font library places marks in another way now');
  const own = Object.getPrototypeOf(placing) as Placing;
  const { applyAnchor, applyLookup } = own;
  own.applyAnchor = function (record, base, glyph) {
    if (base && record.markAnchor) applyAnchor.call(this, record, base, glyph);
    else this.missed = true;
  };
  own.applyLookup = function (type, table) {
    this.missed = false;
    return applyLookup.call(this, type, table) && !this.missed;
  };
  mended = true;
}
