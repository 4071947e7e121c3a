import { type Said, say, verbatim } from '../../domain/base/say.ts';

const until = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', dateStyle: 'medium', timeStyle: 'short' });

export interface SignInLetter {
  readonly purpose: 'invitation' | 'password';
  readonly name: string;
  /** Who made the link; undefined when the person asked for it. */
  readonly by: string | undefined;
  readonly organisation: string;
  readonly url: string;
  readonly expiresAt: string;
}

interface Letter {
  readonly subject: string;
  readonly message: string;
}

const letter = (subject: Said, ...paragraphs: readonly Said[]): Letter => ({
  subject: subject.message.slice(0, 200),
  message: paragraphs.map(({ message }) => message).join('\n\n'),
});

function openingOf({ purpose, by, organisation }: SignInLetter): Said {
  if (purpose === 'invitation')
    return say('{{by}} invites you to the books of {{organisation}} in Bahi. Take up the invitation here:', {
      by: by ?? organisation,
      organisation,
    });
  return by
    ? say('{{by}} of {{organisation}} has made a link with which you set a new password for Bahi:', {
        by,
        organisation,
      })
    : say('Somebody, we hope you, has asked for a new password for Bahi. Set it here:');
}

/** The text of the mail with a one-time link. */
export function signInLetter(link: SignInLetter): Letter {
  const { purpose, name, by, organisation, url, expiresAt } = link;
  const day = { until: until.format(new Date(expiresAt)) };
  return letter(
    purpose === 'invitation'
      ? say('Invitation to the books of {{organisation}}', { organisation })
      : say('Set a new password for Bahi'),
    say('Dear {{name}},', { name }),
    openingOf(link),
    verbatim(url),
    by
      ? say('The link opens once, until {{until}}. Give it to nobody.', day)
      : say(
          'The link opens once, until {{until}}. Give it to nobody. ' +
            'If it was not you, do nothing: your password stays as it is.',
          day,
        ),
  );
}

/** The mail that confirms the address of whoever wants to found an organisation. */
export const signUpLetter = (url: string, expiresAt: string): Letter =>
  letter(
    say('Make your organisation in Bahi'),
    say('Somebody, we hope you, wants to keep the books of an organisation in Bahi with this address. Make it here:'),
    verbatim(url),
    say('The link opens once, until {{until}}. Give it to nobody. If it was not you, do nothing.', {
      until: until.format(new Date(expiresAt)),
    }),
  );
