import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { readMessage } from './message.ts';

/** A mail as our own transport writes it. */
const written = async (mail: object): Promise<Buffer> => {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: 'a@b.in',
    ...mail,
  });
  return message as Buffer;
};

test('a mail as we write it is read back: names, subject and text in any script, bytes of what is attached', async () => {
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256));
  const text = `नमस्ते, = ₹ 1,234.50\n.\n--not a boundary\n${'long '.repeat(60)}`;
  const message = readMessage(
    await written({
      from: { name: 'शर्मा "ट्रेडर्स", & Sons', address: 'x@y.in' },
      to: ['asha@example.com', 'b@example.com'],
      subject: `Tax invoice INV/26-27/0001 from शर्मा ट्रेडर्स प्राइवेट लिमिटेड ${'और '.repeat(30)}`,
      text,
      attachments: [{ filename: 'INV-26-27-0001.pdf', content: bytes, contentType: 'application/pdf' }],
    }),
  );
  expect(message.header('Subject')).toBe(
    `Tax invoice INV/26-27/0001 from शर्मा ट्रेडर्स प्राइवेट लिमिटेड ${'और '.repeat(30)}`.trim(),
  );
  expect(message.header('from')).toContain('शर्मा');
  expect(message.header('to')).toBe('asha@example.com, b@example.com');
  expect(message.text.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd());
  expect(message.attachments).toMatchObject([{ name: 'INV-26-27-0001.pdf', type: 'application/pdf' }]);
  expect(message.attachments[0]?.bytes.equals(bytes)).toBe(true);
});

test('a mail without attachments, and one that is no mail at all', async () => {
  const plain = readMessage(await written({ subject: 'Hello', text: 'A word' }));
  expect([plain.text.trim(), plain.attachments]).toEqual(['A word', []]);
  const broken = readMessage(
    Buffer.from('Content-Type: multipart/mixed; boundary="(["\r\n\r\n--([\r\nno end =?x?b?!?= \xff'),
  );
  expect(broken.header('subject')).toBe('');
  expect(readMessage(Buffer.alloc(0)).text).toBe('');
});
