/** About signing in at the company's own provider; `name` is what the settings call it. */

const unproven = (name: string) =>
  `${name} does not confirm that your e-mail address is verified. Verify it there, or ask the administrator of this server to trust addresses from ${name} (OIDC_TRUST_EMAIL).`
const away = (name: string) => `${name} is not responding. Try again in a minute.`
const late = () => 'This sign-in took too long or was started in another window. Try again.'
const unclear = (name: string) =>
  `${name} sent a response that this server could not use. Try again. If it happens again, ask the administrator of this server, who finds the reason in its log.`

export const provider = {
  failures: {
    not_invited: name =>
      `There is no account or open invitation for the address you have at ${name}. Ask an admin of your project to invite that address.`,
    email_not_verified: unproven,
    unable_to_link_account: unproven,
    email_not_found: name =>
      `${name} did not send your e-mail address. Ask its administrator to share the address with this server.`,
    account_not_linked: name =>
      `Your account here is not connected to ${name} yet. Sign in with your password once to connect it.`,
    email_does_not_match: name =>
      `Your address at ${name} differs from your address here. Ask an admin of your project to invite that address.`,
    account_already_linked_to_different_user: name =>
      `This ${name} account is connected to another person's account here. Disconnect it there first.`,
    access_denied: name => `You did not finish the sign-in at ${name}. Try again, or choose another way.`,
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
    `Signing in with ${name} did not work (${code}). Try again. If it happens again, ask the administrator of this server, who finds the reason in its log.`,
  onlyWay: (name: string) => `Everybody signs in with ${name}.`,
  about: (name: string) => `Sign in with your ${name} account instead of a password.`,
  connected: 'Connected',
  notConnected: 'Not connected',
  connect: 'Connect',
  disconnect: 'Disconnect',
  disconnected: 'Disconnected',
}
