/** Tells a password manager which account this password belongs to. */
export function KnownAccount({ email }: { email: string }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden />
}
