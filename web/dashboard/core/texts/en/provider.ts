/** Texts about signing in at the company's own provider; `name` is its name in the settings. */

const unproven = (name: string) =>
  `${name} doesn’t confirm that your email address is verified. Verify it there, or ask your administrator to trust addresses from ${name} (OIDC_TRUST_EMAIL).`
const away = (name: string) => `${name} isn’t responding. Try again in a minute.`
const late = () => 'This sign-in timed out or was started in another window. Try again.'
const unclear = (name: string) =>
  `${name} sent a response we couldn’t read. Try again. If it happens again, ask your administrator to check the server log.`

export const provider = {
  failures: {
    not_invited: name =>
      `No account or pending invite for your ${name} address. Ask an admin of your project to invite that address.`,
    email_not_verified: unproven,
    unable_to_link_account: unproven,
    email_not_found: name =>
      `${name} didn’t share your email address. Ask its administrator to share it with this server.`,
    account_not_linked: name =>
      `Your account isn’t connected to ${name} yet. Sign in with your password once to connect it.`,
    email_does_not_match: name =>
      `Your ${name} address doesn’t match your address here. Ask an admin of your project to invite that address.`,
    account_already_linked_to_different_user: name =>
      `This ${name} account is connected to someone else’s account. Disconnect it there first.`,
    access_denied: name => `You didn’t finish signing in with ${name}. Try again, or sign in another way.`,
    oauth_provider_not_found: away,
    PROVIDER_AWAY: away,
    state_mismatch: late,
    state_not_found: late,
    state_invalid: late,
    invalid_code: unclear,
    unable_to_get_user_info: unclear,
    issuer_mismatch: unclear,
  } as Record<string, (name: string) => string>,
  failed: (name: string, code: string) =>
    `Couldn’t sign in with ${name} (${code}). Try again. If it happens again, ask your administrator to check the server log.`,
  onlyWay: (name: string) => `Everyone signs in with ${name}.`,
  about: (name: string) => `Sign in with your ${name} account instead of a password.`,
  connected: 'Connected',
  notConnected: 'Not connected',
  connect: 'Connect',
  disconnect: 'Disconnect',
  disconnected: 'Disconnected',
}
