import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts with AES-256-GCM under the master key; what was kept for one purpose opens for no other. */
export interface Vault {
  seal(text: string, purpose: string): Buffer;
  open(sealed: Buffer, purpose: string): string;
}

export function vault(masterKey: Buffer): Vault {
  const keyFor = (purpose: string) => createHash('sha256').update(masterKey).update(purpose).digest();
  return {
    seal: (text, purpose) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open: (sealed, purpose) => {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
