import { drawingSVG, qrcode } from 'bwip-js/browser';
import { useMemo } from 'react';

const look = { bcid: 'qrcode', eclevel: 'L', padding: 4, backgroundcolor: 'ffffff' } as const;

/** The signed QR code as the law wants it on the invoice, drawn here; its file is fetched only when one is shown. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const picture = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(qrcode({ ...look, text }, drawingSVG()))}`,
    [text],
  );
  return <img className="qr" src={picture} alt={label} width={232} height={232} />;
}
