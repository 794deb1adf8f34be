/** Problems of mailboxes and results of tests, by their codes. */
export const mailboxFaults: Record<string, (values: Record<string, string>) => string> = {
  connected: ({ folder, mails }) =>
    `${folder} contains ${Number(mails) === 1 ? '1 email' : `${mails} emails`}.`,
  listening: ({ address, places }) => `Email to ${address} is accepted at ${places}.`,
  can_send: ({ host, address }) => `${host} is ready to send email from ${address}.`,
  enotfound: ({ host }) => `The host ${host} does not exist. Check its spelling.`,
  eai_again: ({ host }) =>
    `The name ${host} can’t be looked up right now. If this continues, ask your administrator to check the DNS settings of the Deskbell server.`,
  eblocked: ({ host }) =>
    `${host} is in a network that Deskbell is not allowed to access. Ask your administrator to allow it with the setting WEBHOOK_ALLOWED_CIDRS.`,
  econnrefused: ({ host, port }) =>
    `${host} refused the connection on port ${port}. Check the host and the port.`,
  unreachable: ({ host, port }) =>
    `${host} does not respond on port ${port}. Check the host, the port and any firewalls.`,
  not_imap: ({ host, port }) =>
    `${host} does not offer IMAP on port ${port} with this encryption. Check the port and the encryption.`,
  no_starttls: ({ host, port }) =>
    `${host} does not offer STARTTLS on port ${port}. Choose another encryption.`,
  tls: ({ host, port, reason }) =>
    `No secure connection to ${host} on port ${port} could be established (${reason}). Check the port and the encryption.`,
  certificate: ({ host, reason }) =>
    `The certificate of ${host} is not valid (${reason}). Check the host name, or ask the mail server’s administrator to renew the certificate.`,
  throttled: ({ host }) => `${host} limits how often this mailbox may connect. Deskbell tries again later.`,
  login_refused: ({ host, user }) =>
    `${host} rejected the login for ${user}. Check the user name and the password. Many providers require an app password.`,
  access_denied: ({ host, user }) =>
    `${host} denied access to ${user}. Check that the account that signed in may open this mailbox, then sign in again.`,
  access_revoked: () => 'Access to this mailbox was revoked or has expired. Sign in again.',
  app_in_testing: () =>
    'Google has revoked access. Your app in the Google Cloud console is in testing, which limits access to 7 days. Publish the app, then sign in again.',
  app_refused: ({ host, reason }) =>
    `${host} rejected the app (${reason}). Check the client ID, the client secret and the app’s permissions.`,
  redirect_refused: ({ host }) =>
    `${host} does not know this redirect address for the app. Copy the redirect address into the settings of the app, then sign in again.`,
  sign_in_denied: ({ host }) =>
    `${host} did not grant access. Sign in again and allow it. If your organisation has to approve the app, ask its administrator first.`,
  sign_in_ended: ({ host }) =>
    `${host} no longer accepts this sign-in, because it took too long or was already used. Sign in again.`,
  no_refresh_token: ({ host }) =>
    `${host} granted access only for a short time. Allow offline access in the app or add it to the scope, such as offline_access, then sign in again.`,
  other_provider: ({ host }) =>
    `The answer to this sign-in did not come from ${host}, so it was ignored. Check the addresses of the provider, then sign in again.`,
  token_server: ({ host, status }) => `${host} did not return an access token (status ${status}).`,
  token_server_unreachable: ({ host, reason }) =>
    `The sign-in server ${host} can’t be reached (${reason}). Check its address.`,
  folder_missing: ({ folder }) =>
    `The folder ${folder} does not exist in this mailbox. Choose another folder.`,
  mail_cut_off: ({ host }) =>
    `${host} closed the connection while an email was being read. Deskbell tries again.`,
  server: ({ host, reason }) => `${host} returned an error: ${reason}`,
  database: () => 'The database of the Deskbell server does not respond. Deskbell tries again.',
  storage: ({ reason }) =>
    `Deskbell could not store an email (${reason}). The administrator can find the details in its log.`,
  not_listening: () =>
    'This server does not accept email directly. Ask your administrator to set MAIL_LISTEN, or fetch the email by IMAP.',
  not_smtp: ({ host, port }) =>
    `${host} does not offer SMTP on port ${port} with this encryption. Check the port and the encryption.`,
  no_greeting: ({ host, port }) =>
    `${host} accepts connections on port ${port}, but does not respond as expected. Check the port and the encryption: port 465 needs TLS, port 587 STARTTLS.`,
  send_login_refused: ({ host, user, reason }) =>
    `${host} rejected the login for ${user} (${reason}). Check the user name and the password for sending. Many providers require an app password.`,
  send_denied: ({ host, user, reason }) =>
    `${host} does not allow ${user} to send (${reason}). Check that the app has the permission to send, then sign in again.`,
  smtp_disabled: ({ host, user }) =>
    `${host} does not allow ${user} to send by SMTP. Turn on authenticated SMTP for this mailbox in the Microsoft 365 admin center.`,
  no_login_offered: ({ host, port }) =>
    `${host} offers no login on port ${port} with this encryption. Choose TLS with port 465, or STARTTLS with port 587.`,
  needs_login: ({ host, reason }) =>
    `${host} sends email only after a login (${reason}). Choose a login for sending.`,
  needs_tls: ({ host, port }) => `${host} requires encryption on port ${port}. Choose TLS or STARTTLS.`,
  sender_refused: ({ host, address, reason }) =>
    `${host} does not accept ${address} as the sender (${reason}). Allow this sender there, or use the login that belongs to the address.`,
  relay_refused: ({ host, reason }) =>
    `${host} does not send email to other domains for this mailbox (${reason}). Choose a login for sending, or ask its administrator to allow the Deskbell server.`,
  send_limit: ({ host, reason }) =>
    `${host} accepts no more email from this mailbox at the moment (${reason}). Deskbell tries again later.`,
  no_smtp_url: () =>
    'This server can’t send email itself. Ask your administrator to set SMTP_URL, or choose another server for sending.',
  not_sending: () => 'This mailbox is not set up to send email.',
  not_receiving: () => 'This mailbox is not set up to receive email.',
}
