/** What the security log tells besides changes of records, by the word that stands in the edit log. */
export const securityEvents = {
  signedIn: 'Signed in',
  signInFailed: 'Wrong password or code',
  lockedOut: 'An address was locked out after wrong passwords or codes',
  guessed: 'Alert: many wrong passwords or codes from many addresses',
  signedOut: 'Signed out',
  sessionEnded: 'Ended another session',
  refused: 'Refused: no access',
  manyRefused: 'Alert: fifty refusals in a minute',
  exported: 'Exported',
  passwordChanged: 'Changed the own password',
  demoLocked: 'Locked: the password of the demo is published',
  secondFactorOn: 'Turned the second factor on',
  secondFactorOff: 'Turned the second factor off',
  secondFactorReset: 'Took the second factor from a user',
  recoveryCodesRenewed: 'Made new recovery codes',
  tokenMade: 'Made an access token',
  tokenUsed: 'First use of an access token',
  tokenRevoked: 'Revoked an access token',
  tokenRefused: 'Refused: an access token that has expired or was revoked, or whose user has left',
  linkMade: 'Made a sign-in link',
  operatorGiven: 'Made an operator of the installation',
  operatorTaken: 'No operator of the installation any more',
} as const;

export type SecurityEvent = keyof typeof securityEvents;
