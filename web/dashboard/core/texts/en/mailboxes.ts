import { pages } from './pages.ts'

export const mailboxes = {
  title: pages.mailboxes,
  about: 'Email sent to these addresses becomes tickets.',
  none: 'No mailboxes yet',
  noneAbout:
    'A mailbox is an email address that your customers write to, such as support@example.com. Each email becomes a ticket.',
  back: 'All mailboxes',
  add: 'Add mailbox',
  step: (number: number) => `Step ${number} of 3: ${['address', 'connection', 'test email'][number - 1]}`,
  address: 'Email address',
  addressAbout: 'The address that your customers write to.',
  addressNeeded: 'Enter an email address.',
  next: 'Continue',
  changeAddress: 'Change address',
  found: (address: string, provider: string) => `${address} is hosted by ${provider}.`,
  notFound: (address: string) =>
    `The provider of ${address} isn’t known to Deskbell. Enter the IMAP settings that your provider lists in its help pages.`,
  providers: {
    microsoft: 'Microsoft 365',
    google: 'Google',
    fastmail: 'Fastmail',
    gmx: 'GMX',
    icloud: 'iCloud',
    ionos: 'IONOS',
    mailbox_org: 'mailbox.org',
    migadu: 'Migadu',
    ovh: 'OVHcloud',
    yahoo: 'Yahoo',
    zoho: 'Zoho',
  },
  passwordAbouts: {
    microsoft:
      'Microsoft 365 no longer accepts passwords for IMAP. Connect this mailbox with OAuth 2: bin/deskbell mailbox create --provider microsoft.',
    google:
      'Use an app password. Turn on 2-Step Verification in your Google account, then create one at myaccount.google.com/apppasswords.',
    fastmail: 'Use an app password. Create one in Fastmail under Settings, Privacy & Security.',
    gmx: 'Allow IMAP in the GMX settings first. With two-factor authentication, use an app password.',
    icloud: 'Use an app-specific password. Create one at account.apple.com under Sign-In and Security.',
    yahoo: 'Use an app password. Create one in your Yahoo account under Security.',
    zoho: 'Turn on IMAP in the Zoho Mail settings. With two-factor authentication, use an app password.',
  } as Record<string, string>,
  way: 'How email reaches Deskbell',
  ways: { imap: 'Fetch it from a mail server (IMAP)', listen: 'Accept it on this server (SMTP or LMTP)' },
  listensAt: (places: string) =>
    `Deskbell accepts email at ${places}. Let your mail server deliver this address there, or point the MX record of its domain to this server.`,
  listenOff:
    'This server does not accept email directly. Ask your administrator to set MAIL_LISTEN, or fetch the email by IMAP.',
  startFrom: 'Email that is already in the mailbox',
  starts: {
    now: 'Ignore it; only new email becomes tickets',
    days: 'Fetch the last days',
    all: 'Fetch everything',
  },
  startDays: 'Number of days',
  connect: 'Test and add',
  passwordNeeded: 'Enter the password.',
  hostNeeded: 'Enter the host.',
  added: (address: string) => `${address} is added`,
  sendTest: (address: string) =>
    `Now send an email to ${address} from another address. It appears here when it arrives.`,
  waiting: 'Waiting for the email…',
  arrived: 'The email has arrived',
  arrivedAs: (subject: string, sender: string) => `“${subject}” from ${sender}`,
  openTicket: 'Open the ticket',
  openLog: 'Open the mail log',
  slow: 'Nothing after a few minutes? Check whether the email is in a spam folder of the mailbox, and whether the address is spelled correctly.',
  toMailbox: 'Mailbox settings',
  states: { active: 'Active', paused: 'Paused', broken: 'Broken' },
  retrying: 'Retrying',
  lastFetched: 'Last checked',
  neverFetched: 'Not checked yet',
  listens: 'Email is sent to this server directly',
  receivesNothing: 'Doesn’t receive email',
  status: 'Status',
  isPaused: 'This mailbox is paused',
  isPausedAbout: 'New email stays on the mail server until you resume the mailbox.',
  isBroken: 'Email is not being fetched',
  willRetry: 'The last attempt failed',
  importing: (percent: number) => `Fetching older email: ${percent} %`,
  test: 'Test connection',
  testing: 'Testing the connection…',
  works: 'The connection works',
  worksNot: 'The connection does not work',
  faults: {
    connected: ({ folder, mails }) => `${folder} contains ${mails === '1' ? '1 email' : `${mails} emails`}.`,
    listening: ({ address, places }) => `Email to ${address} is accepted at ${places}.`,
    enotfound: ({ host }) => `The host ${host} does not exist. Check its spelling.`,
    eai_again: ({ host }) =>
      `The name ${host} can’t be looked up right now. If this continues, ask your administrator to check the DNS settings of the Deskbell server.`,
    eblocked: ({ host }) =>
      `${host} is in a network that Deskbell may not access. Ask your administrator to allow it with the setting WEBHOOK_ALLOWED_CIDRS.`,
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
      `Deskbell could not store an email (${reason}). The administrator finds the details in its log.`,
    not_listening: () =>
      'This server does not accept email directly. Ask your administrator to set MAIL_LISTEN, or fetch the email by IMAP.',
    not_receiving: () => 'This mailbox is not set up to receive email.',
  } as Record<string, (values: Record<string, string>) => string>,
  foldersFound: (names: string[]) => `Folders on the server: ${names.join(', ')}`,
  pause: 'Pause',
  turnOn: { paused: 'Resume', broken: 'Try again' },
  settings: 'Settings',
  name: 'Name',
  nameAbout: 'Customers see it as the sender of your replies.',
  department: 'Department',
  anyDepartment: 'Default department',
  aliases: 'Other addresses',
  aliasesAbout: 'Addresses that deliver to the same mailbox. Press Enter after each.',
  folders: 'Folders',
  foldersAbout: 'Email in these folders becomes tickets. Press Enter after each.',
  afterFetch: 'After an email is fetched',
  afterFetchWays: {
    leave: 'Leave it unchanged on the mail server',
    seen: 'Mark it as read on the mail server',
    move: 'Move it to another folder',
    delete: 'Delete it from the mail server',
  },
  afterFetchDays: 'Days until it is deleted',
  afterFetchFolder: 'Folder to move it to',
  authservIds: 'Trusted mail servers',
  authservIdsAbout:
    'The names with which your own mail servers begin “Authentication-Results” headers. Only their results of sender checks are trusted. Press Enter after each.',
  formSenders: 'Form senders',
  formSendersAbout:
    'Addresses from which your website’s forms send email. The customer is then the person in “Reply-To”. Press Enter after each.',
  trustsSpam: 'Trust the spam headers of the mail server',
  trustsSpamAbout:
    'Emails marked by “X-Spam” headers become tickets marked as spam. Turn this on only if your own mail server writes these headers.',
  connection: 'Mail server',
  connectionAbout: 'Where Deskbell fetches email by IMAP.',
  host: 'Host',
  port: 'Port',
  security: 'Encryption',
  securities: { tls: 'TLS', starttls: 'STARTTLS', none: 'None' },
  user: 'User name',
  userAbout: 'Usually the email address.',
  password: 'Password',
  passwordKept: 'Leave empty to keep the current password.',
  remove: 'Delete mailbox',
  removeTitle: (address: string) => `Delete ${address}?`,
  removeAbout: 'Deskbell stops fetching its email. Its tickets stay, and nothing changes on the mail server.',
}
