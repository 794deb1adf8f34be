/** Tells a password manager whose password this is. */
export function KnownAccount({ email }: { email: string }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden />
}
