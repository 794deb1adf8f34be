import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** An SMTP server that accepts every email, and a port that never responds, in a separate process. */

export interface Accepted {
  /** The Message-ID with angle brackets. */
  id: string
  /** When the email was accepted, in milliseconds since 1970. */
  at: number
}

export interface SinkPorts {
  port: number
  silentPort: number
}

/** The longest time until the server responds to an email, in milliseconds. */
const holdMs = Number(process.argv[2])

const accepted: Accepted[] = []

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    let head = ''
    stream.on('data', (chunk: Buffer) => {
      if (head.length < 8_192) head += chunk.toString('latin1')
    })
    stream.on('end', () => {
      // From now on the server has the email, even if the connection ends before the response.
      accepted.push({ id: /^Message-ID:\s+(\S+)/im.exec(head)?.[1] ?? '', at: Date.now() })
      setTimeout(done, Math.random() * holdMs)
    })
  },
})
server.on('error', () => {})

const silent = createServer(socket => socket.on('error', () => {}).resume())

const portOf = (address: unknown): number => (address as AddressInfo).port

process.on('message', () => process.send!(accepted.splice(0)))
process.on('disconnect', () => process.exit())

const listening = server.listen(0, '127.0.0.1')
silent.listen(0, '127.0.0.1')
await Promise.all([once(listening, 'listening'), once(silent, 'listening')])
process.send!({ port: portOf(listening.address()), silentPort: portOf(silent.address()) } satisfies SinkPorts)
