import { t } from '../text.ts';
import { Dialog } from './Dialog.tsx';

const everywhere: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Find a screen, document, party or item'],
  ['Ctrl S', 'Save'],
  ['Alt N', 'New record or document; in lines, a new line'],
  ['Alt C', 'In a field that picks a record: make a new one'],
  ['/', 'Focus the search box'],
  ['Ctrl Enter', 'Primary action'],
  ['Alt G', 'In a GSTIN: fill the form from the portal'],
  ['Esc', 'Close the list, dialog or panel on top'],
  ['?', 'This list'],
];
const lists: readonly (readonly [string, string])[] = [
  ['↓ or Enter in the search box', 'To the rows'],
  ['↑ ↓ Page Up Page Down Home End', 'Move between rows'],
  ['Enter', 'Open the row'],
];
const documents: readonly (readonly [string, string])[] = [
  ['Ctrl Enter', 'The next step, as Make receipt'],
  ['Alt O', 'Continue as: the other steps, then ↑ ↓'],
  ['Alt P', 'Print'],
  ['Alt M', 'Mail'],
  ['Alt 2', 'Copy into a new document'],
  ['Alt X', 'Cancel the document'],
];
const lines: readonly (readonly [string, string])[] = [
  ['Enter / Shift Enter', 'Next cell / cell above; on the last cell adds a line'],
  ['Tab / Shift Tab', 'Next / previous cell'],
  ['↑ ↓ ← →', 'Move between cells'],
  ['Ctrl Home', 'First cell'],
  ['Ctrl V', 'Paste cells from a spreadsheet; a first row of headings decides the columns'],
  ['Alt N', 'A new line'],
  ['F2 / Esc', 'Edit without selecting / undo the cell'],
  ['Ctrl Delete', 'Delete the line'],
  ['Enter on an empty line', 'On below the lines, at the end to the button that posts'],
  ['Shift Enter in notes', 'A new line'],
  ['Alt L', 'To the lines or open documents'],
  ['Alt C', 'Make the item, ledger, stock room or cost centre of the cell'],
  ['Alt B', 'The batches or serial numbers of the line that are in stock'],
  ['Alt A', 'List all that is in stock, to be counted'],
  ['Alt K', 'The field for a scanner'],
  ['Alt O', 'Settle the oldest open items first'],
];

/** Every key of the product. Single-letter keys can be switched off here. */
export function KeyHelp({
  open,
  onClose,
  letters,
  onLetters,
}: {
  readonly open: boolean;
  onClose(): void;
  readonly letters: boolean;
  onLetters(on: boolean): void;
}) {
  return (
    <Dialog open={open} title={t('Keys')} onClose={onClose} width={640}>
      <h3>{t('Everywhere')}</h3>
      <Keys pairs={everywhere} />
      <h3>{t('Lists')}</h3>
      <Keys pairs={lists} />
      <h3>{t('A document that is shown')}</h3>
      <Keys pairs={documents} />
      <h3>{t('Lines of a document')}</h3>
      <Keys pairs={lines} />
      <label className="check">
        <input type="checkbox" checked={letters} onChange={(event) => onLetters(event.target.checked)} />
        <span>{t('Use the single keys / and ?')}</span>
      </label>
    </Dialog>
  );
}

const Keys = ({ pairs }: { readonly pairs: readonly (readonly [string, string])[] }) => (
  <dl className="key-list">
    {pairs.map(([key, does]) => (
      <div key={key} style={{ display: 'contents' }}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);
