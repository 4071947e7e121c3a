import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts with AES-256-GCM under the master key; what was kept for one purpose opens for no other. */
export interface Vault {
  seal(text: string, purpose: string): Buffer;
  /** Opens what was sealed under the master key, or under one that it has followed. */
  open(sealed: Buffer, purpose: string): string;
  /** Whether it was sealed under one of them. */
  opens(sealed: Buffer, purpose: string): boolean;
  /** The same under the master key of today; undefined when it is so already. */
  renewed(sealed: Buffer, purpose: string): Buffer | undefined;
}

/** `former`: keys that were the master key before, the newest first; nothing is sealed under them any more. */
export function vault(masterKey: Buffer, former: readonly Buffer[] = []): Vault {
  const keyFor = (purpose: string, master = masterKey) => createHash('sha256').update(master).update(purpose).digest();
  const openWith = (master: Buffer, sealed: Buffer, purpose: string): string => {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose, master), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
  };
  const isOurs = (sealed: Buffer, purpose: string): boolean => {
    try {
      openWith(masterKey, sealed, purpose);
      return true;
    } catch {
      return false;
    }
  };
  const open: Vault['open'] = (sealed, purpose) => {
    const [other] = isOurs(sealed, purpose) ? [] : former;
    if (!other) return openWith(masterKey, sealed, purpose);
    return vault(other, former.slice(1)).open(sealed, purpose);
  };
  const self: Vault = {
    seal: (text, purpose) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open,
    opens: (sealed, purpose) => {
      try {
        open(sealed, purpose);
        return true;
      } catch {
        return false;
      }
    },
    renewed: (sealed, purpose) => (isOurs(sealed, purpose) ? undefined : self.seal(open(sealed, purpose), purpose)),
  };
  return self;
}
