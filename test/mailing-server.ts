import { after } from 'node:test'
import { startMailbox } from './mailbox.ts'
import { startServer } from './server.ts'

/**
 * Starts a server and its mail server for all tests of a file. Call it at file level. Both stop after the
 * last test.
 */
export async function startMailingServer() {
  const mailbox = await startMailbox()
  const config = { smtpUrl: mailbox.url, mailFrom: 'Desk <desk@example.com>' }
  const server = await startServer({ config, delivers: false })
  after(async () => {
    await server.close()
    await mailbox.close()
  })
  return { server, mailbox }
}
