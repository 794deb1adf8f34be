import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer'

/** Delivers emails by LMTP in a separate process, so that it does not delay the measured calls. */
export interface Delivery {
  port: number
  to: string
  /** The files with the emails. */
  paths: string[]
  /** The maximum number of connections. */
  connections: number
  /** Whether each email is sent again until it is accepted, as mail servers do. */
  isRepeated: boolean
}

const repeatMs = 200

async function deliver({ port, to, paths, connections, isRepeated }: Delivery): Promise<void> {
  const pool = { pool: true, maxConnections: connections, maxMessages: 1e9 }
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, lmtp: true, ...pool } as never)
  const envelope = { from: 'bench@example.org', to: [to] }
  const send = async (path: string): Promise<void> => {
    try {
      const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: readFileSync(path) })
      // After the content, LMTP has a reply for each recipient.
      if (rejectedErrors.length) throw rejectedErrors[0]
    } catch (error) {
      if (!isRepeated) throw error
      await sleep(repeatMs)
      await send(path)
    }
  }
  await Promise.all(paths.map(send))
  transport.close()
}

/** Responds with null, or with the reason of the failure. */
process.on('message', (delivery: Delivery) => {
  deliver(delivery).then(
    () => process.send!(null),
    error => process.send!(String(error)),
  )
})
process.on('disconnect', () => process.exit())
