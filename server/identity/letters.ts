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

/** The text of the mail with a one-time link. */
export function signInLetter({ purpose, name, by, organisation, url, expiresAt }: SignInLetter): {
  readonly subject: string;
  readonly message: string;
} {
  const subject =
    purpose === 'invitation' ? `Invitation to the books of ${organisation}` : 'Set a new password for Bahi';
  const opening =
    purpose === 'invitation'
      ? `${by ?? organisation} invites you to the books of ${organisation} in Bahi. Take up the invitation here:`
      : by
        ? `${by} of ${organisation} has made a link with which you set a new password for Bahi:`
        : 'Somebody, we hope you, has asked for a new password for Bahi. Set it here:';
  const ending = by ? '' : ' If it was not you, do nothing: your password stays as it is.';
  return {
    subject: subject.slice(0, 200),
    message: `Dear ${name},\n\n${opening}\n\n${url}\n\nThe link opens once, until ${until.format(new Date(expiresAt))}. Give it to nobody.${ending}`,
  };
}

/** The mail that confirms the address of whoever wants to found an organisation. */
export const signUpLetter = (
  url: string,
  expiresAt: string,
): { readonly subject: string; readonly message: string } => ({
  subject: 'Make your organisation in Bahi',
  message: `Somebody, we hope you, wants to keep the books of an organisation in Bahi with this address. Make it here:\n\n${url}\n\nThe link opens once, until ${until.format(new Date(expiresAt))}. Give it to nobody. If it was not you, do nothing.`,
});
