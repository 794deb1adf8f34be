import { connect, isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { within } from '../../../core/async/in-time.ts'
import { lookUpHost, type MayReach } from '../../../core/http/guarded-agent.ts'
import type { SmtpLogin } from '../mailboxes/smtp-login.ts'

/** A connection to an SMTP server, which can send several emails. */

/** Where to send, and with which login. */
export interface SmtpTarget extends SmtpLogin {
  mayReach: MayReach
  /** Options of SMTP_URL. */
  tls?: ConnectionOptions | undefined
}

export interface SmtpEnvelope {
  /** Empty for `<>`. */
  from: string
  to: string[]
  size: number
}

/** An error of nodemailer. */
export interface SmtpError extends Error {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

export interface Refusal extends SmtpError {
  recipient: string
}

/** The answers of the server. nodemailer keeps them in the envelope, also if the email is refused later. */
export interface EnvelopeAnswers {
  accepted: string[]
  rejectedErrors: Refusal[]
}

export interface SmtpSession {
  isOpen(): boolean
  /** Returns the server's answer to the email. `answers` is filled before the content is read. */
  send(envelope: SmtpEnvelope, content: Readable, answers: EnvelopeAnswers): Promise<SmtpReceipt>
  /** Closes the connection. An email that is being sent fails with this error. */
  close(error?: Error): void
}

export interface SmtpReceipt {
  response: string
  /** The Message-ID that the server has given the email instead of ours, with angle brackets. */
  serverMessageId?: string | undefined
}

/** Milliseconds. */
export interface SmtpTimeouts {
  connectMs: number
  /** For each answer before the final dot. */
  commandMs: number
  /** For the answer to the final dot. RFC 5321 asks for 10 minutes, because a server may check the email first. */
  answerMs: number
}

export const usualTimeouts: SmtpTimeouts = { connectMs: 15_000, commandMs: 60_000, answerMs: 600_000 }

async function openSocket(address: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host: address, port })
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  socket.once('connect', () => resolve(socket)).once('error', reject)
  try {
    return await within(timeoutMs, promise, () => {
      throw Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })
    })
  } catch (error) {
    socket.on('error', () => {}).destroy()
    throw error
  }
}

/** Tries the host's addresses in order until one responds. */
async function openFirst({ host, port, mayReach }: SmtpTarget, timeoutMs: number): Promise<Socket> {
  const addresses = await lookUpHost(host, mayReach)
  for (const [at, address] of addresses.entries())
    try {
      return await openSocket(address, port, timeoutMs)
    } catch (error) {
      if (at === addresses.length - 1) throw error
    }
  throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' })
}

const greet = (connection: SMTPConnection): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.connect(error => (error ? reject(error) : resolve()))
  })

async function logIn(connection: SMTPConnection, auth: NonNullable<SmtpLogin['auth']>): Promise<void> {
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2')
  const credentials = 'pass' in auth ? { credentials: auth } : { oauth2: new XOAuth2(auth), user: auth.user }
  await new Promise<void>((resolve, reject) =>
    connection.login(credentials, error => (error ? reject(error) : resolve())),
  )
}

function sessionOf(connection: SMTPConnection): SmtpSession {
  let isOpen = true
  let fail = (_error: Error): void => {}
  connection.on('error', () => {
    isOpen = false
  })
  connection.on('end', () => {
    isOpen = false
  })
  return {
    isOpen: () => isOpen,
    send: ({ from, to, size }, content, answers) =>
      new Promise((resolve, reject) => {
        fail = reject
        const envelope = Object.assign(answers, { from, to, size, use8BitMime: true })
        connection.send(envelope, content, (error, info) => (error ? reject(error) : resolve(info!)))
      }),
    close(error = new Error('The connection was closed')) {
      isOpen = false
      connection.close()
      fail(error)
    },
  }
}

/** Connects and logs in. Refuses addresses that projects are not allowed to access. */
export async function openSmtp(place: SmtpTarget, timeouts = usualTimeouts): Promise<SmtpSession> {
  // Loaded lazily, because most processes do not send email.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const { mayReach: _, auth, ...server } = place
  const socket = await openFirst(place, timeouts.connectMs)
  const connection = new Connection({
    // The connection is to an address that was checked; the certificate is issued for the host name.
    ...server,
    connection: socket,
    ...(isIP(place.host) === 0 && { servername: place.host }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.answerMs,
  })
  connection.on('error', () => {})
  try {
    await greet(connection)
    if (auth) await logIn(connection, auth)
    return sessionOf(connection)
  } catch (error) {
    connection.close()
    throw error
  }
}
