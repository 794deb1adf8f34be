import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { inTime } from '../../../core/async/in-time.ts'
import type { Config } from '../../../core/config/config.ts'
import { listenerUrl, type MailListener } from '../../../core/config/config-mail.ts'
import { SettingError, SetupError } from '../../../core/config/setup-error.ts'
import type { Db } from '../../../core/db/db.ts'
import { portOf } from '../../../core/http/port-of.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { codeOf } from '../../../core/thrown.ts'
import { bucketOf } from '../../../limits/address.ts'
import type { Storages } from '../../../media/media.ts'
import { maxMailBytes } from '../incoming/store.ts'
import { findRecipient } from '../mailboxes/recipients.ts'
import { receiveMail, SmtpReply } from './receive-mail.ts'

/** Receives email by SMTP and LMTP. An email is accepted only after it has been committed. */

export interface ListenDeps {
  config: Pick<
    Config,
    'mailListen' | 'mailTlsCert' | 'mailTlsKey' | 'mailConnections' | 'mailConnectionsPerIp' | 'publicUrl'
  >
  db: Db
  storages: Storages
  log: Log
}

/** Milliseconds. */
const silenceMs = 60_000
const closeMs = 5_000
const maxRecipients = 100

const temporary = (text: string): SmtpReply => new SmtpReply(451, text)

/** Reloads both files when either has changed, so that renewed certificates take effect without a restart. */
function createCertificate({ mailTlsCert, mailTlsKey }: ListenDeps['config']) {
  if (!mailTlsCert && !mailTlsKey) return null
  if (!mailTlsCert || !mailTlsKey)
    throw new SettingError('MAIL_TLS_CERT and MAIL_TLS_KEY must be set together')
  const timesOf = () => [mailTlsCert, mailTlsKey].map(path => statSync(path).mtimeMs).join()
  const read = () => ({ cert: readFileSync(mailTlsCert), key: readFileSync(mailTlsKey) })
  try {
    let times = timesOf()
    return {
      read,
      hasChanged(): boolean {
        const current = timesOf()
        if (current === times) return false
        times = current
        return true
      },
    }
  } catch (error) {
    throw new SettingError(`MAIL_TLS_CERT: cannot read the certificate or its key (${codeOf(error)})`)
  }
}

export function createCounts(maxPerIp: number) {
  const counts = new Map<string, number>()
  return {
    enter(ip: string): boolean {
      const bucket = bucketOf(ip)
      const count = (counts.get(bucket) ?? 0) + 1
      if (count > maxPerIp) return false
      counts.set(bucket, count)
      return true
    },
    leave(ip: string): void {
      const bucket = bucketOf(ip)
      const count = (counts.get(bucket) ?? 0) - 1
      if (count > 0) counts.set(bucket, count)
      else counts.delete(bucket)
    },
  }
}

/** The sessions that were counted. Closing a refused session must not decrease the count. */
type Counted = WeakSet<SMTPServerSession>

type Done = (error?: Error | null) => void

/** Sends an SmtpReply unchanged. Any other error becomes a temporary failure, so that the sender retries. */
function answer(log: Log, work: Promise<unknown>, done: Done): void {
  work.then(
    () => done(),
    (error: unknown) => {
      if (error instanceof SmtpReply) return done(error)
      log.warn({ err: error }, 'Could not receive an email; its sender will retry')
      done(temporary('4.3.0 Message cannot be stored right now. Try again later'))
    },
  )
}

async function checkRecipient({ db }: ListenDeps, address: string): Promise<void> {
  const found = await inTime(findRecipient(db, address))
  if (!found) throw new SmtpReply(550, '5.1.1 No such mailbox here')
  if (found.state !== 'active') throw new SmtpReply(450, '4.2.1 This mailbox is paused. Try again later')
}

function optionsOf(deps: ListenDeps, { protocol }: MailListener, hasTls: boolean): SMTPServerOptions {
  const { config, log } = deps
  const counts = createCounts(config.mailConnectionsPerIp)
  const counted: Counted = new WeakSet()
  return {
    name: new URL(config.publicUrl).hostname || hostname(),
    banner: 'Deskbell',
    lmtp: protocol === 'lmtp',
    size: maxMailBytes,
    disabledCommands: ['AUTH', ...(hasTls ? [] : ['STARTTLS'])],
    authOptional: true,
    disableReverseLookup: true,
    maxClients: config.mailConnections,
    maxRecipients,
    socketTimeout: silenceMs,
    closeTimeout: closeMs,
    logger: false,
    onConnect(session, done) {
      if (!counts.enter(session.remoteAddress))
        return done(new SmtpReply(421, '4.7.0 Too many connections from your address'))
      counted.add(session)
      done()
    },
    onClose(session) {
      if (counted.delete(session)) counts.leave(session.remoteAddress)
    },
    onRcptTo: ({ address }, _session, done) => answer(log, checkRecipient(deps, address), done),
    onData(stream, session, done) {
      const work = receiveMail(deps, session, stream)
      answer(log, work, error => {
        // The rest of a rejected email must be read before the reply is sent.
        stream.resume()
        done(error, '2.0.0 Message stored')
      })
    },
  }
}

const advice: Record<string, string> = {
  EADDRINUSE: 'choose another port, or stop the program that uses it',
  EADDRNOTAVAIL: 'this machine has no such address; use 0.0.0.0 for all of its addresses',
  ENOTFOUND: 'this name has no address; use 0.0.0.0 for all addresses of this machine',
  EACCES: 'ports below 1024 need a privilege; choose another port and forward port 25 to it',
}

async function listen(deps: ListenDeps, place: MailListener) {
  const { SMTPServer } = await import('smtp-server')
  const certificate = createCertificate(deps.config)
  const options = optionsOf(deps, place, certificate !== null)
  const server = new SMTPServer({ ...options, ...certificate?.read() })
  server.on('error', error => deps.log.debug({ err: error }, 'A connection to the mail listener failed'))
  if (certificate)
    server.server.on('connection', () => {
      if (certificate.hasChanged()) server.updateSecureContext(certificate.read())
    })
  const listening = once(server.server, 'listening')
  server.listen(place.port, place.host)
  await listening.catch(error => {
    const code = codeOf(error)
    throw new SetupError(
      `MAIL_LISTEN: cannot listen on ${listenerUrl(place)} (${code}); ${advice[code] ?? 'choose another address'}`,
    )
  })
  return server
}

/** Listens on every address in MAIL_LISTEN. */
export async function startListening(deps: ListenDeps) {
  const servers = await Promise.all(deps.config.mailListen.map(place => listen(deps, place)))
  const ports = servers.map(server => portOf(server.server))
  return {
    ports,
    async stop(): Promise<void> {
      await Promise.all(servers.map(server => new Promise<void>(resolve => server.close(resolve))))
    },
  }
}
