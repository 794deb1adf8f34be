import * as parse from './config-values.ts'

/** Settings of how people sign in, and how they are written to. */
export const usersSettings = {
  smtpUrl: parse.setting('SMTP_URL', '', parse.optional(parse.url('smtp:', 'smtps:')), {
    about:
      'Mail server for invitations, for links to choose a new password, and for telling owners that a balance will not cover the next renewal; it wants MAIL_FROM too. Without it whoever invites hands the link over. Name and password stand in it, encoded as in every URL.',
    example: 'smtps://desk:password@mail.example.com',
  }),
  mailFrom: parse.setting('MAIL_FROM', '', parse.optional(parse.text), {
    about: 'Sender of those mails.',
    example: 'Example Desk <desk@example.com>',
  }),
  oidcIssuer: parse.setting('OIDC_ISSUER', '', parse.optional(parse.url('http:', 'https:')), {
    about:
      'OpenID Connect provider that people may sign in with, as its discovery document names itself. It wants OIDC_CLIENT_ID and OIDC_CLIENT_SECRET too, and `PUBLIC_URL/api/auth/callback/oidc` among its redirect addresses. Only those get in who have an account or an invitation, by an e-mail address that the provider has verified.',
    example: 'https://id.example.com/realms/staff',
  }),
  oidcClientId: parse.setting('OIDC_CLIENT_ID', '', parse.optional(parse.text), {
    about: 'Client id that OIDC_ISSUER knows Deskbell by.',
    example: 'deskbell',
  }),
  oidcClientSecret: parse.setting('OIDC_CLIENT_SECRET', '', parse.optional(parse.text), {
    about: 'Secret that belongs to OIDC_CLIENT_ID.',
    example: 'the secret that the provider shows',
  }),
  oidcName: parse.setting('OIDC_NAME', 'single sign-on', parse.text, {
    about: 'What the button of OIDC_ISSUER on the sign-in page says after "Continue with".',
    example: 'Example ID',
  }),
}
