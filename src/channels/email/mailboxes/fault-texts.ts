/** Problems of mailboxes in English, for the API, the command line and the log. The dashboard words them from their codes and values. */
export const faultTexts = {
  enotfound: 'The host {host} does not exist. Check its spelling.',
  eai_again: "The name {host} could not be resolved. Check this machine's DNS settings. Deskbell will retry.",
  eblocked:
    '{host} is in a network that projects on this server are not allowed to access. Ask the administrator to add it to WEBHOOK_ALLOWED_CIDRS.',
  econnrefused: '{host} refused the connection on port {port}. Check the host and the port.',
  unreachable:
    '{host} does not respond on port {port}. Check the host, the port and any firewalls. Deskbell will retry.',
  not_imap: '{host} does not offer IMAP on port {port}. Check the port and the encryption setting.',
  no_starttls: '{host} does not offer STARTTLS on port {port}. Choose another encryption setting.',
  tls: 'No secure connection to {host} on port {port} could be established ({reason}). Check the port and the encryption setting.',
  certificate:
    'The certificate of {host} is not valid ({reason}). Check the host name, or ask its administrator to renew the certificate.',
  throttled: '{host} is rate limiting this mailbox. Deskbell will retry after a pause.',
  login_refused:
    '{host} rejected the login for {user}. Check the user name and the password. Many providers require an app password.',
  access_denied:
    '{host} denied access to {user}. Check that the connected account is allowed to open this mailbox, then reconnect it.',
  access_revoked: 'Access to this mailbox was revoked or has expired. Reconnect the mailbox.',
  app_in_testing:
    'Google has revoked access. Your app in the Google Cloud console is in testing, which limits access to 7 days. Publish the app, then reconnect the mailbox.',
  app_refused:
    "{host} rejected this app ({reason}). Check the client ID, the client secret and the app's permissions.",
  redirect_refused:
    "{host} does not know Deskbell's redirect address for this app. Add the redirect address to the app, then sign in again.",
  sign_in_denied:
    '{host} did not grant access. Sign in again and allow it. If your organisation has to approve the app, ask its administrator first.',
  sign_in_ended:
    '{host} no longer accepts this sign-in, because it took too long or was already used. Sign in again.',
  no_refresh_token:
    '{host} granted access only for a short time, without a refresh token. Allow offline access in the app or add it to the scope, such as offline_access, then sign in again.',
  other_provider:
    'The answer to this sign-in did not come from {host}, so it was ignored. Check the addresses of the provider, then sign in again.',
  token_server: '{host} did not return an access token (status {status}). Deskbell will retry.',
  token_server_unreachable:
    'The token server {host} cannot be reached ({reason}). Check its address. Deskbell will retry.',
  folder_missing: 'The folder {folder} does not exist in this mailbox. Choose another folder.',
  mail_cut_off: '{host} closed the connection while an email was being read. Deskbell will retry.',
  server: '{host} returned an error: {reason}',
  database: 'The database of this Deskbell server does not respond. Deskbell will retry.',
  storage: 'Deskbell could not store an email ({reason}). Its log has the details. Deskbell will retry.',
  not_listening:
    'MAIL_LISTEN is not set here, so no email is accepted. Set it as for your server, and restart the server if it was not set there.',
  not_smtp: '{host} does not offer SMTP on port {port}. Check the port and the encryption setting.',
  no_greeting:
    '{host} accepts connections on port {port}, but does not respond as expected. Check the port and the encryption setting: port 465 needs TLS, port 587 STARTTLS.',
  send_login_refused:
    '{host} rejected the login for {user} ({reason}). Check the user name and the password for sending. Many providers require an app password.',
  send_denied:
    '{host} does not allow {user} to send ({reason}). Check that the app has the permission to send, then sign in again.',
  smtp_disabled:
    '{host} does not allow {user} to send by SMTP. Turn on authenticated SMTP for this mailbox in the Microsoft 365 admin center.',
  no_login_offered:
    '{host} offers no login on port {port} with this encryption setting. Choose TLS with port 465, or STARTTLS with port 587.',
  needs_login: '{host} sends email only after a login ({reason}). Choose a login for sending.',
  needs_tls: '{host} requires encryption on port {port}. Choose TLS or STARTTLS.',
  sender_refused:
    '{host} does not accept {address} as the sender ({reason}). Allow this sender there, or use the login that belongs to the address.',
  relay_refused:
    '{host} does not send email to other domains for this mailbox ({reason}). Choose a login for sending, or allow the address of this server there.',
  send_limit: '{host} accepts no more email from this mailbox at the moment ({reason}). Deskbell will retry.',
  no_smtp_url:
    'SMTP_URL is not set on this server, so no email can be sent through it. Set it, or choose another server for sending.',
  not_sending: 'This mailbox is not set up to send email.',
  not_receiving: 'This mailbox is not set up to receive email. Choose IMAP or the listener.',
}

/** Results of tests that found no problem. */
export const trialTexts = {
  connected: 'Login succeeded. {folder} contains {mails} emails.',
  can_send: '{host} is ready to send email from {address}.',
  listening: 'Email to {address} is accepted at {places}.',
}
