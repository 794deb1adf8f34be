import { isIP } from 'node:net'
import type { AuthOptions, ImapFlow, ImapFlowOptions } from 'imapflow'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { lookUpHost } from '../../../core/http/guarded-agent.ts'
import { propertyOf } from '../../../core/objects.ts'
import { getAccessToken, type TokenDeps } from '../mailboxes/access-token.ts'
import { describeFailure } from '../mailboxes/failure.ts'
import type { FetchedMailbox, ImapSettings } from '../mailboxes/mailbox.ts'
import { openSecrets } from '../mailboxes/secrets.ts'

export type ImapDeps = TokenDeps

/** Milliseconds. */
const connectionTimeoutMs = 15_000
const greetingTimeoutMs = 15_000

/** Milliseconds. Servers end an IDLE after half an hour, some of them after ten minutes. */
export const maxIdleMs = 9 * 60_000

/** Bytes. Emails are read in chunks, so no legitimate response is longer. */
const maxLiteralBytes = 32 * 1024 * 1024
const maxLineBytes = 8 * 1024 * 1024

const optionsFor = (
  { host, port, security }: ImapSettings,
  address: string,
  auth: AuthOptions,
): ImapFlowOptions => ({
  host: address,
  // The certificate is issued for the host name, not for the address.
  ...(isIP(host) === 0 && { servername: host }),
  port,
  auth,
  secure: security === 'tls',
  doSTARTTLS: security === 'starttls',
  disableAutoIdle: true,
  disableCompression: true,
  maxIdleTime: maxIdleMs,
  connectionTimeout: connectionTimeoutMs,
  greetingTimeout: greetingTimeoutMs,
  maxLiteralSize: maxLiteralBytes,
  maxLineLength: maxLineBytes,
  maxResponseSize: 2 * maxLiteralBytes,
  clientInfo: { name: 'Deskbell' },
  logger: false,
})

/** Tries the host's addresses in order until one responds. */
async function connectTo(settings: ImapSettings, auth: AuthOptions, mayReach: MayReach): Promise<ImapFlow> {
  // Loaded lazily, because most processes do not fetch email.
  const { ImapFlow } = await import('imapflow')
  const addresses = await lookUpHost(settings.host, mayReach)
  for (const [at, address] of addresses.entries()) {
    const client = new ImapFlow(optionsFor(settings, address, auth))
    // The running command also rejects with a connection error. Without a listener, the error would crash the process.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      client.close()
      if (propertyOf(error, 'authenticationFailed') || at === addresses.length - 1) throw error
    }
  }
  throw Object.assign(new Error(`${settings.host} has no address`), { code: 'ENOTFOUND' })
}

/** A rejected access token may have been revoked before it expired, so it is renewed once. If the server is busy, there is no second login. */
async function connectWithToken(deps: ImapDeps, mailbox: FetchedMailbox): Promise<ImapFlow> {
  const settings = mailbox.imap!
  const { user } = settings
  const accessToken = await getAccessToken(deps, mailbox, settings.oauth!)
  try {
    return await connectTo(settings, { user, accessToken }, deps.mayReach)
  } catch (error) {
    if (describeFailure(error, settings).code !== 'access_denied') throw error
    const renewed = await getAccessToken(deps, mailbox, settings.oauth!, accessToken)
    return connectTo(settings, { user, accessToken: renewed }, deps.mayReach)
  }
}

/** Connects and logs in. Refuses addresses that projects are not allowed to access. */
export async function openImap(deps: ImapDeps, mailbox: FetchedMailbox): Promise<ImapFlow> {
  const settings = mailbox.imap!
  if (settings.auth === 'oauth') return connectWithToken(deps, mailbox)
  const { password } = openSecrets(deps.vault, mailbox)
  return connectTo(settings, { user: settings.user, pass: password ?? '' }, deps.mayReach)
}
