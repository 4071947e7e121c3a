/** Whether the stand-in has signed this and no portal: what it made looks real otherwise. */
export function isPretended(signed: string): boolean {
  try {
    const { iss } = JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      iss?: unknown;
    };
    return iss === 'NIC Sandbox';
  } catch {
    return false;
  }
}
