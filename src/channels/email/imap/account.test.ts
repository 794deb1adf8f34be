import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { type Dovecot, listMaildir, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { fetchMails, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import { createStorages } from '../../../media/media.ts'
import { changeMailbox } from '../mailboxes/mailboxes.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { runSession } from './session.ts'

/** Mailboxes that are fetched from another account, and long sessions. */

const installed = needs('dovecot')

let server: TestServer
let dovecot: Dovecot
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  dovecot = await startDovecot(context, { users: { departed: 'secret', arrived: 'secret', long: 'secret' } })
})

const deliver = (user: string, subject: string) =>
  dovecot.deliver(`${user}@example.com`, makeMail(subject, subject))

const countIn = (user: string) => listMaildir(dovecot.maildir(user)).length

/** Waits until the mailbox has this many emails. */
const stored = (id: string, count: number) =>
  until(async () => {
    const mails = await listMails(server, server.acme)
    return mails.filter(mail => mail.mailbox_id === id).length >= count
  })

async function setUidValidity(users: string[], validity: number): Promise<void> {
  await dovecot.stop()
  for (const user of users) {
    const folder = dovecot.maildir(user)
    const list = join(folder, 'dovecot-uidlist')
    writeFileSync(list, readFileSync(list, 'utf8').replace(/V\d+/, `V${validity}`))
    for (const name of readdirSync(folder).filter(each => each.startsWith('dovecot.index')))
      rmSync(join(folder, name))
  }
  await dovecot.start()
}

test(
  'fetches all new email from another account that has the same UIDVALIDITY, and deletes none of it',
  installed,
  async t => {
    for (const user of ['departed', 'arrived']) await deliver(user, `First of ${user}`)
    await setUidValidity(['departed', 'arrived'], 14)
    const fields = { after_fetch: 'delete' as const, after_fetch_days: 5, start_from: 'all' as const }
    const { id } = await makeMailbox(server, dovecot, { user: 'departed', ...fields })
    const fetching = fetchMails(t, server)
    for (const number of [2, 3]) await deliver('departed', `${number} of departed`)
    await stored(id, 3)
    await fetching.stop()
    const caller = { project: server.acme, actor: { type: 'cli' as const } }
    const imap = { user: 'arrived', password: 'secret' }
    await changeMailbox(server, server.db, caller, id, { imap }, null)
    await server.db`update incoming_mails set after_fetch_due = now() where mailbox_id = ${id}`
    await deliver('arrived', 'Second of arrived')
    fetchMails(t, server)
    await stored(id, 5)
    await deliver('arrived', 'Third of arrived')
    await stored(id, 6)
    assert.equal(countIn('arrived'), 3)
  },
)

test('a session has the same number of listeners, however much email it has fetched', installed, async () => {
  const { id } = await makeMailbox(server, dovecot, { user: 'long' })
  const mailbox = await findFetchedMailbox(server.db, server.acme.id, id)
  const stopping = new AbortController()
  const { signal } = stopping
  const deps = { ...server, storages: createStorages(server), mayReach: mayReachAll, onFetched() {} }
  const running = runSession({ ...deps, stopping: signal }, mailbox!)
  const countListeners = () => getEventListeners(signal, 'abort').length
  const fetch = async (count: number) => {
    await deliver('long', `Number ${count}`)
    await stored(id, count)
  }
  await until(() => countListeners() > 0)
  // Until then, the session adds its own.
  await fetch(1)
  const before = countListeners()
  for (const count of [2, 3, 4]) await fetch(count)
  // There may be one more during a fetch.
  await until(() => countListeners() <= before)
  stopping.abort()
  await running
})
