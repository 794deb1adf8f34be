import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { type Dovecot, listMaildir, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import {
  fetchMails,
  findMailbox,
  listMails,
  makeMail,
  makeMailbox,
  readMail,
  type StoredMail,
} from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { wordFault } from '../mailboxes/fault.ts'
import { deleteMailbox, pauseMailbox, resumeMailbox } from '../mailboxes/mailboxes.ts'

/** Fetches email from a real Dovecot. */

const users = [
  'plain',
  'shared',
  'again',
  'older',
  'days',
  'seen',
  'moved',
  'deleting',
  'renumbered',
  'broken',
  'killed',
  'paused',
]

const installed = needs('dovecot')

let server: TestServer
let dovecot: Dovecot
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  dovecot = await startDovecot(context, { users: Object.fromEntries(users.map(user => [user, 'secret'])) })
})

const ready = (mailbox: { id: string }) => until(async () => (await findMailbox(server, mailbox)).last_ok_at)
const deliver = (user: string, mail = makeMail()) => dovecot.deliver(`${user}@example.com`, mail)

/** Waits until the mailbox has this many emails, and returns them. */
const stored = (mailbox: { id: string }, count: number): Promise<StoredMail[]> =>
  until(async () => {
    const mails = (await listMails(server, server.acme)).filter(mail => mail.mailbox_id === mailbox.id)
    return mails.length >= count && mails
  })

test(
  'stores an email unchanged within 2 seconds of its delivery, and only for its own project',
  installed,
  async t => {
    const mailbox = await makeMailbox(server, dovecot, { user: 'plain' })
    fetchMails(t, server)
    await ready(mailbox)
    const mail = makeMail('Nothing is changed', 'Bytes of no charset: \u00e9')
    await deliver('plain', mail)
    const deliveredAt = performance.now()
    const [one] = await stored(mailbox, 1)
    // A busy machine gets more time. The next regular check would follow a minute later.
    assert.ok(performance.now() - deliveredAt < 20_000, `${performance.now() - deliveredAt} ms`)
    assert.deepEqual([one!.state, one!.source, one!.uid], ['stored', 'imap', 1])
    const bytes = await readMail(server, one!)
    assert.equal(bytes.length, one!.size)
    assert.ok(bytes.toString().endsWith(mail), bytes.toString())
    assert.deepEqual(await listMails(server, server.rival), [])
    const [due] =
      await server.db`select kind from due_work where project_id = ${server.acme.id} and kind = 'mails'`
    assert.ok(due)
  },
)

test('stores an email once when two processes fetch the same mailbox', installed, async t => {
  const mailbox = await makeMailbox(server, dovecot, { user: 'shared' })
  fetchMails(t, server)
  fetchMails(t, server)
  await ready(mailbox)
  for (let count = 0; count < 10; count++) await deliver('shared')
  const mails = await stored(mailbox, 10)
  assert.deepEqual(
    mails.map(({ uid }) => uid),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('resumes fetching after the mail server was unreachable', installed, async t => {
  const mailbox = await makeMailbox(server, dovecot, { user: 'again' })
  fetchMails(t, server)
  await ready(mailbox)
  await dovecot.stop()
  const { last_error } = await until(async () => {
    const row = await findMailbox(server, mailbox)
    return row.last_error?.code === 'econnrefused' && row
  })
  assert.equal(
    wordFault(last_error),
    `127.0.0.1 refused the connection on port ${dovecot.imapPort}. Check the host and the port.`,
  )
  await dovecot.start()
  await deliver('again')
  await server.db`update mailboxes set backoff_until = null where id = ${mailbox.id}`
  await server.db`update due_work set due_at = now() where subject_id = ${mailbox.id}`
  assert.equal((await stored(mailbox, 1)).length, 1)
  assert.deepEqual(
    (
      await until(async () => {
        const row = await findMailbox(server, mailbox)
        return row.failures === 0 && row
      })
    ).last_error,
    null,
  )
})

test(
  'start_from selects whether existing email is fetched: none, all, or the last few days',
  installed,
  async t => {
    for (const user of ['older', 'days', 'seen']) for (const _ of [1, 2, 3]) await deliver(user)
    const none = await makeMailbox(server, dovecot, { user: 'seen', after_fetch: 'seen' })
    const all = await makeMailbox(server, dovecot, { user: 'older', start_from: 'all' })
    const some = await makeMailbox(server, dovecot, { user: 'days', start_from: 'days', start_days: 2 })
    fetchMails(t, server)
    await ready(none)
    assert.deepEqual(
      (await stored(all, 3)).map(({ source }) => source),
      ['import', 'import', 'import'],
    )
    assert.equal((await stored(some, 3)).length, 3)
    assert.equal((await stored(none, 0)).length, 0)
    await deliver('seen')
    assert.deepEqual(
      (await stored(none, 1)).map(({ uid }) => uid),
      [4],
    )
    const folder = dovecot.maildir('seen')
    await until(() => readdirSync(join(folder, 'cur')).some(name => /:2,S$/.test(name)))
    assert.equal(readdirSync(join(folder, 'cur')).filter(name => name.endsWith('S')).length, 1)
  },
)

test('after_fetch moves or deletes a stored email on the server', installed, async t => {
  const moved = await makeMailbox(server, dovecot, {
    user: 'moved',
    after_fetch: 'move',
    after_fetch_folder: 'Done',
  })
  const deleting = await makeMailbox(server, dovecot, {
    user: 'deleting',
    after_fetch: 'delete',
    after_fetch_days: 0,
  })
  fetchMails(t, server)
  await Promise.all([ready(moved), ready(deleting)])
  await deliver('moved')
  await deliver('deleting')
  await stored(moved, 1)
  await stored(deleting, 1)
  const countIn = (user: string, name?: string) => listMaildir(dovecot.maildir(user, name)).length
  await until(() => countIn('moved') === 0 && countIn('moved', 'Done') === 1)
  await until(() => countIn('deleting') === 0)
})

test('a change of UIDVALIDITY neither duplicates nor loses an email', installed, async t => {
  const mailbox = await makeMailbox(server, dovecot, { user: 'renumbered' })
  const { stop } = fetchMails(t, server)
  await ready(mailbox)
  for (const _ of [1, 2, 3]) await deliver('renumbered')
  await stored(mailbox, 3)
  await stop()
  const list = join(dovecot.maildir('renumbered'), 'dovecot-uidlist')
  await dovecot.stop()
  writeFileSync(list, readFileSync(list, 'utf8').replace(/V\d+/, 'V12345'))
  for (const name of readdirSync(dovecot.maildir('renumbered')).filter(each =>
    each.startsWith('dovecot.index'),
  ))
    rmSync(join(dovecot.maildir('renumbered'), name))
  await dovecot.start()
  await deliver('renumbered', makeMail('Came in between'))
  await server.db`update mailboxes set backoff_until = null where id = ${mailbox.id}`
  fetchMails(t, server)
  const mails = await stored(mailbox, 4)
  await until(async () => {
    const [folder] = await server.db`select * from mailbox_folders where mailbox_id = ${mailbox.id}`
    return Number(folder!.uid_validity) === 12345 && folder!.import_next_uid === null
  })
  assert.equal((await stored(mailbox, 4)).length, 4)
  assert.equal(new Set(mails.map(({ sha256 }) => sha256)).size, 4)
})

test(
  'skips an email that the server cannot return after three attempts, and fetches the next one',
  installed,
  async t => {
    const mailbox = await makeMailbox(server, dovecot, { user: 'broken' })
    const { stop } = fetchMails(t, server)
    await ready(mailbox)
    await stop()
    await deliver('broken', makeMail('Cannot be read'))
    await deliver('broken', makeMail('Can be read'))
    const [first] = listMaildir(dovecot.maildir('broken'))
    chmodSync(first!, 0)
    await server.db`update mailboxes set backoff_until = null where id = ${mailbox.id}`
    fetchMails(t, server)
    const mails = await stored(mailbox, 2)
    assert.deepEqual(
      mails.map(({ uid, state, outcome }) => [uid, state, outcome]),
      [
        [1, 'failed', 'unreadable'],
        [2, 'stored', null],
      ],
    )
  },
)

test(
  'does not fetch a paused mailbox until it is resumed, and keeps the log of a deleted one',
  installed,
  async t => {
    const caller = { project: server.acme, actor: { type: 'cli' as const } }
    const mailbox = await makeMailbox(server, dovecot, { user: 'paused' })
    fetchMails(t, server)
    await ready(mailbox)
    await pauseMailbox(server.db, caller, mailbox.id)
    await until(async () => (await findMailbox(server, mailbox)).lease_id === null)
    await deliver('paused')
    assert.equal((await stored(mailbox, 0)).length, 0)
    await resumeMailbox(server.db, caller, mailbox.id)
    const [mail] = await stored(mailbox, 1)
    await deleteMailbox(server.db, caller, mailbox.id)
    const [kept] = await server.db`select mailbox_id from incoming_mails where id = ${mail!.id}`
    assert.equal(kept!.mailbox_id, null)
  },
)
