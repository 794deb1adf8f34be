import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { startTokenServer, type TokenServer } from '../../../../test/token-server.ts'
import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import { getAccessToken } from './access-token.ts'
import { changeMailbox, createMailbox } from './mailboxes.ts'
import { findFetchedMailbox } from './queries.ts'
import { openSecrets } from './secrets.ts'

/** A refresh token works once, so a new one must be stored whatever happens during the renewal. */

let server: TestServer
let provider: TokenServer
const context = openFileContext()

before(async () => {
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  provider = await startTokenServer(context, 'race@example.com')
})

/** The URL of a token server that does some work before it issues tokens. */
async function startSlowServer(work: () => Promise<unknown>): Promise<string> {
  const slow = createServer(async (request, response) => {
    const body = new URLSearchParams(await text(request))
    await work()
    const answer = await fetch(provider.tokenUrl, { method: 'POST', body })
    response.writeHead(answer.status).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  context.after(() => slow.close())
  return `http://127.0.0.1:${(slow.address() as AddressInfo).port}/token`
}

test('a token that is renewed while someone changes the settings is stored', async () => {
  const caller = { project: server.acme, actor: { type: 'cli' as const } }
  const change = () => changeMailbox(server, server.db, caller, made.id, { imap: { port: 994 } }, null)
  const token_url = await startSlowServer(change)
  const made = await createMailbox(server, server.db, caller, {
    ...{ address: 'race@example.com', incoming: 'imap' },
    imap: {
      host: '127.0.0.1',
      oauth: { client_id: 'desk', token_url, refresh_token: provider.connect() },
    },
  })
  const find = async () => (await findFetchedMailbox(server.db, server.acme.id, made.id))!
  const mailbox = await find()
  await getAccessToken({ ...server, mayReach: mayReachAll }, mailbox, mailbox.imap!.oauth!)
  const stored = await find()
  assert.equal(stored.imap!.port, 994)
  assert.equal(openSecrets(server.vault, stored).refresh_token, provider.refreshToken)
})
