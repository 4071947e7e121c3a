import { lazy, Suspense } from 'react';
import { createPortal } from 'react-dom';
import { money, plainNumber, rupees } from '../../kit/format.ts';
import type { ReceiptFacts } from './receipt.ts';

const drawing = () => import('../../einvoice/QrCode.tsx').then((module) => ({ default: module.QrCode }));
/** Fetches what draws payment codes while there is a network. */
export const prepareCodes = (): void => void drawing().catch(() => undefined);
// without it the amount is still printed: a missing picture does not lose the receipt
const QrCode = lazy(() => drawing().catch(() => ({ default: () => <span /> })));

/** A payment code for who holds a telephone to it. */
export function PaymentCode({ link, amount }: { readonly link: string; readonly amount: string }) {
  return (
    <Suspense fallback={null}>
      <figure className="payment-code">
        <QrCode text={link} label={`UPI code for ${rupees(amount)}`} />
        <figcaption>Pay {rupees(amount)} by UPI</figcaption>
      </figure>
    </Suspense>
  );
}

/** The paper of a bill: drawn here, so that it is printed without the network too. `warning`: why it is no valid paper. */
export function ReceiptPaper({
  facts,
  number,
  warning,
  at,
}: {
  readonly facts: ReceiptFacts;
  readonly number: string;
  readonly warning: string | null;
  readonly at: string;
}) {
  return createPortal(
    <section className="receipt" data-width={facts.width} aria-label={`Receipt ${number}`}>
      <header>
        <b>{facts.seller}</b>
        {facts.sellerLines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </header>
      <h2>{facts.title}</h2>
      {warning && <p>{warning}</p>}
      {facts.against && <p>{facts.against}</p>}
      <Head facts={facts} number={number} at={at} />
      <Lines lines={facts.lines} />
      <Sums facts={facts} />
      {facts.taxes.length > 0 && <Taxes taxes={facts.taxes} />}
      {facts.upi && <PaymentCode link={facts.upi} amount={amountOf(facts.upi)} />}
      <p>Thank you</p>
    </section>,
    document.body,
  );
}

/** Number, date, till and customer. */
function Head({ facts, number, at }: { readonly facts: ReceiptFacts; readonly number: string; readonly at: string }) {
  return (
    <dl>
      <dt>Number</dt>
      <dd>{number}</dd>
      <dt>Date</dt>
      <dd>{at}</dd>
      <dt>Till</dt>
      <dd>
        {facts.till} · {facts.cashier}
      </dd>
      {facts.customer && (
        <>
          <dt>Customer</dt>
          <dd>
            {facts.customer}
            {facts.customerLines?.map((line) => (
              <small key={line}>{line}</small>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

function Lines({ lines }: Pick<ReceiptFacts, 'lines'>) {
  return (
    <table>
      <tbody>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a paper do not move
          <tr key={at}>
            <td>
              {line.name}
              <small>
                {plainNumber(line.quantity)} × {money(line.rate)}
                {line.off && ` − ${plainNumber(line.off)} %`}
                {line.hsn && ` · HSN ${line.hsn}`}
              </small>
              {line.parts && <small>{line.parts}</small>}
            </td>
            <td className="num">{money(line.amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sums({ facts: { sums, total, paid } }: { readonly facts: ReceiptFacts }) {
  return (
    <dl className="receipt-sums">
      {sums.map((sum) => (
        <Sum key={sum.label} {...sum} />
      ))}
      <div data-grand>
        <dt>Total</dt>
        <dd className="num">{rupees(total)}</dd>
      </div>
      {paid.map((sum) => (
        <Sum key={sum.label} {...sum} />
      ))}
    </dl>
  );
}

function Sum({ label, amount }: { readonly label: string; readonly amount: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{money(amount)}</dd>
    </div>
  );
}

function Taxes({ taxes }: Pick<ReceiptFacts, 'taxes'>) {
  return (
    <table className="receipt-taxes">
      <thead>
        <tr>
          <th>GST %</th>
          <th className="num">Taxable</th>
          <th className="num">Tax</th>
        </tr>
      </thead>
      <tbody>
        {taxes.map((row) => (
          <tr key={row.rate}>
            <td>{row.rate}</td>
            <td className="num">{money(row.taxable)}</td>
            <td className="num">{money(row.tax)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const amountOf = (link: string): string => new URLSearchParams(link.slice(link.indexOf('?'))).get('am') ?? '';
