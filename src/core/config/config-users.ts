import * as parse from './config-values.ts'

/** Settings for sign-in and mail. */
export const usersSettings = {
  smtpUrl: parse.setting('SMTP_URL', '', parse.optional(parse.url('smtp:', 'smtps:')), {
    about:
      'The mail server for invitations, password resets, security notices, emails to operators about tickets, and messages to owners about plans and payments. It requires MAIL_FROM. The URL contains the user name and password, percent-encoded. Without it, people who invite others have to send them the link themselves.',
    example: 'smtps://desk:password@mail.example.com',
  }),
  mailFrom: parse.setting('MAIL_FROM', '', parse.optional(parse.readText), {
    about: 'The sender of these emails.',
    example: 'Example Desk <desk@example.com>',
  }),
  oidcIssuer: parse.setting('OIDC_ISSUER', '', parse.optional(parse.url('http:', 'https:')), {
    about:
      'OpenID Connect provider for sign-in, as its discovery document names itself. It requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. Register `PUBLIC_URL/api/auth/callback/oidc` there as a redirect address. Only people with an account or an invitation can sign in, by an email address that the provider has verified. docs/operations.md has an example.',
    example: 'https://id.example.com/realms/staff',
  }),
  oidcClientId: parse.setting('OIDC_CLIENT_ID', '', parse.optional(parse.readText), {
    about: 'The client id under which Deskbell is registered at OIDC_ISSUER.',
    example: 'deskbell',
  }),
  oidcClientSecret: parse.setting('OIDC_CLIENT_SECRET', '', parse.optional(parse.readText), {
    about: 'The secret that belongs to OIDC_CLIENT_ID.',
    example: 'the secret that the provider shows',
  }),
  oidcName: parse.setting('OIDC_NAME', 'single sign-on', parse.readText, {
    about: 'The name of the provider on the sign-in button, after "Sign in with".',
    example: 'Example ID',
  }),
  oidcScopes: parse.setting('OIDC_SCOPES', 'openid email profile', parse.readText, {
    about:
      'Scopes that Deskbell requests from OIDC_ISSUER, separated by spaces. Some providers send groups only for a separate scope.',
    example: 'openid email profile groups',
  }),
  oidcTrustEmail: parse.toggle(
    'OIDC_TRUST_EMAIL',
    'off',
    '`on` trusts the email addresses of an OIDC_ISSUER that does not say whether it has verified them, such as Microsoft Entra ID. Set it only if your company alone assigns the addresses at that issuer. Deskbell never trusts an address that the issuer marks as unverified.',
  ),
  oidcOnly: parse.toggle(
    'OIDC_ONLY',
    'off',
    '`on` allows sign-in only at OIDC_ISSUER: passwords, passkeys and password resets stop working, and sessions that began with them end. If the provider is down and you need to sign in, start once with `off`.',
  ),
  oidcSecondStep: parse.setting('OIDC_SECOND_STEP', 'deskbell', parse.choice('deskbell', 'provider'), {
    about:
      'Who requires two-factor authentication after a sign-in at OIDC_ISSUER. `deskbell`: people who have set it up in Deskbell enter a code after signing in at the provider, and a project that requires it admits only them. `provider`: a sign-in at the provider counts as both factors; choose it only if the provider requires two factors from everybody.',
    example: 'provider',
  }),
  oidcSignOut: parse.toggle(
    'OIDC_SIGN_OUT',
    'off',
    '`on` also signs people out at OIDC_ISSUER when they sign out of Deskbell. Register `PUBLIC_URL/sign-in` at the provider as a redirect address after signing out.',
  ),
  oidcGroupsClaim: parse.setting('OIDC_GROUPS_CLAIM', 'groups', parse.readText, {
    about:
      "The claim that contains a person's groups. Use a dot for a nested claim, as in `realm_access.roles`.",
    example: 'roles',
  }),
  oidcGroups: parse.setting('OIDC_GROUPS', '', parse.groups, {
    about:
      'Maps groups of OIDC_ISSUER to roles and departments: a list of `group=role` or `group=role:department`; write a comma in a name as `%2C`. When it is set, each sign-in at the provider gives the person the highest role of their groups in all their projects (`operator` if none of their groups is listed), and membership of exactly those listed departments that their groups map to. Other departments stay as they are. A project never loses its last owner this way. People still need an invitation.',
    example: 'desk-owners=owner,desk-leads=admin,desk-sales=operator:Sales',
  }),
}
