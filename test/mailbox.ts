import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Delivered {
  from: string
  to: string[]
  /** Headers and body as received. */
  text: string
}

/** A real mail server on 127.0.0.1. `refuse` is called for each mail, and rejects it by returning true. */
export async function startMailbox(refuse: () => boolean = () => false) {
  const mails: Delivered[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        if (refuse()) return done(new Error('451 Come again'))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ from, to, text: String(Buffer.concat(chunks)).replaceAll('=\r\n', '') })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const close = () => new Promise<void>(resolve => server.close(resolve))
  return { url: `smtp://127.0.0.1:${port}`, mails, close }
}
