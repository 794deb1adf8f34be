import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An SMTP server that answers as a test wants. */

export interface SunkMail {
  from: string
  to: string[]
  raw: string
}

/** `cut`: closes the connection without an answer, and keeps the email. */
export type SinkAnswer = 'accept' | 'cut' | Error

export interface SinkScript {
  onRecipient?(address: string): Error | undefined
  onMail?(mail: SunkMail): SinkAnswer | Promise<SinkAnswer>
  /** The text of the response that accepts an email, after the code. */
  words?: string
  options?: Partial<SMTPServerOptions>
}

/** An SMTP reply that refuses something. */
export const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

export async function startSink(context: { after(run: () => unknown): void }, script: SinkScript = {}) {
  /** What it has accepted, or may have accepted. */
  const mails: SunkMail[] = []
  const state = { connections: 0, script }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      state.connections++
      done()
    },
    onRcptTo({ address }, _session, done) {
      done(state.script.onRecipient?.(address))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
        }
        const answer = (await state.script.onMail?.(mail)) ?? 'accept'
        if (answer instanceof Error) return done(answer)
        mails.push(mail)
        if (answer === 'accept') return done(null, state.script.words)
        const { connections } = server as unknown as {
          connections: Set<{ id: string; _socket: Socket }>
        }
        for (const one of connections) if (one.id === session.id) one._socket.destroy()
      })
    },
    ...script.options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  context.after(() => new Promise<void>(resolve => server.close(resolve)))
  return { port, mails, state }
}

export type Sink = Awaited<ReturnType<typeof startSink>>
