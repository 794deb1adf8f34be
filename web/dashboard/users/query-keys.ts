import { makeKey } from '../core/query-key.ts'

export const userKeys = {
  me: () => makeKey('me'),
  session: () => makeKey('session'),
  sessions: () => makeKey('sessions'),
  signInMethods: () => makeKey('sign-in methods'),
  link: (token: string) => makeKey('link', token),
  logins: () => makeKey('logins'),
  passkeys: () => makeKey('passkeys'),
  recoveryCodes: () => makeKey('recovery codes'),
}
