import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Submission {
  port: number
  /** The logins so far, as `METHOD user secret`. */
  logins: string[]
  /** The emails that were accepted. */
  mails: string[]
}

/** A response with this code. */
export const refuseWith = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

interface Testing {
  after(run: () => unknown): void
}

/** Starts an SMTP server for sending that accepts these logins, until the test ends. */
export async function startSubmission(
  t: Testing,
  { users = {}, ...options }: SMTPServerOptions & { users?: Record<string, string> } = {},
): Promise<Submission> {
  const logins: string[] = []
  const mails: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ method, username = '', password, accessToken }, _session, done) {
      const secret = accessToken ?? password ?? ''
      logins.push(`${method} ${username} ${secret}`)
      if (users[username] === secret) return done(null, { user: username })
      done(refuseWith(535, 'authentication failed'))
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => new Promise<void>(resolve => server.close(resolve)))
  return { port: (listening.address() as AddressInfo).port, logins, mails }
}
