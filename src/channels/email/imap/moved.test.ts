import assert from 'node:assert/strict'
import {
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { type Dovecot, listMaildir, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { fetchMails, findMailbox, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { changeMailbox } from '../mailboxes/mailboxes.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { openImap } from './imap-client.ts'
import { findFirstUid } from './list-messages.ts'

/** Mailboxes whose emails have other UIDs on another server. */

const installed = needs('dovecot')
const users = Object.fromEntries(
  ['other', 'equal', 'deleting', 'importing', 'dated'].map(user => [user, 'secret']),
)

let server: TestServer
let old: Dovecot
let fresh: Dovecot
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  old = await startDovecot(context, { users })
  // West of Greenwich, so that emails from the first hours of a day have the date of the day before.
  fresh = await startDovecot(context, {
    users,
    timeZone: 'America/New_York',
    capabilities: 'IMAP4rev1 IDLE ESEARCH UIDPLUS',
  })
})

const storedIn = async ({ id }: Pick<MailboxRow, 'id'>) =>
  (await listMails(server, server.acme)).filter(mail => mail.mailbox_id === id)

const untilStored = (mailbox: Pick<MailboxRow, 'id'>, count: number) =>
  until(async () => {
    const mails = await storedIn(mailbox)
    return mails.length >= count && mails
  })

/** Copies all emails to the new server in reverse order, with the time of their arrival. */
function copyMails(user: string): void {
  const folder = fresh.maildir(user)
  const { uid, gid } = statSync(folder)
  for (const [at, path] of listMaildir(old.maildir(user)).reverse().entries()) {
    const copy = join(folder, 'new', `${Math.floor(Date.now() / 1_000)}.M${at}P1.copied`)
    copyFileSync(path, copy)
    chownSync(copy, uid, gid)
    utimesSync(copy, statSync(path).mtime, statSync(path).mtime)
  }
}

const listOf = (dovecot: Dovecot, user: string): string => join(dovecot.maildir(user), 'dovecot-uidlist')
const validityOf = (text: string): string => /V\d+/.exec(text)![0]

/** Gives the folder on the new server the same UIDVALIDITY as on the old one. */
async function copyValidity(user: string): Promise<void> {
  await fresh.stop()
  const list = listOf(fresh, user)
  const validity = validityOf(readFileSync(listOf(old, user), 'utf8'))
  writeFileSync(list, readFileSync(list, 'utf8').replace(/V\d+/, validity))
  for (const name of readdirSync(fresh.maildir(user)))
    if (name.startsWith('dovecot.index')) rmSync(join(fresh.maildir(user), name))
  await fresh.start()
}

async function move({ id }: Pick<MailboxRow, 'id'>): Promise<void> {
  const caller = { project: server.acme, actor: { type: 'cli' as const } }
  await changeMailbox(server, server.db, caller, id, { imap: { port: fresh.imapPort } }, null)
  await server.db`update mailboxes set last_ok_at = null where id = ${id}`
}

/** Waits until the folder on the new server has been fetched and compared with the stored emails. */
const untilCompared = ({ id }: Pick<MailboxRow, 'id'>) =>
  until(async () => {
    const rows = await server.db`
      select from mailboxes m join mailbox_folders f on f.project_id = m.project_id and f.mailbox_id = m.id
      where m.id = ${id} and m.last_ok_at is not null and f.import_next_uid is null`
    return rows.length > 0
  })

const deliver = (dovecot: Dovecot, user: string, subject: string) =>
  dovecot.deliver(`${user}@example.com`, makeMail(subject))

/** Delivers three emails to the old server, waits until they are stored, and puts them on the new one behind another email. */
async function fillBoth(mailbox: MailboxRow, user: string): Promise<void> {
  await until(async () => (await findMailbox(server, mailbox)).last_ok_at)
  for (const subject of ['First', 'Second', 'Third']) await deliver(old, user, subject)
  await untilStored(mailbox, 3)
  await deliver(fresh, user, 'Arrived at the new server')
  copyMails(user)
}

for (const [user, what] of [
  ['other', 'another'],
  ['equal', 'the same'],
] as const)
  test(
    `moving to a server with ${what} UIDVALIDITY neither duplicates nor loses an email`,
    installed,
    async t => {
      const mailbox = await makeMailbox(server, old, { user })
      fetchMails(t, server)
      await fillBoth(mailbox, user)
      if (user === 'equal') await copyValidity(user)
      await move(mailbox)
      await untilCompared(mailbox)
      await deliver(fresh, user, 'Arrived later')
      const mails = await untilStored(mailbox, 5)
      assert.equal(mails.length, 5)
      assert.equal(new Set(mails.map(({ sha256 }) => sha256)).size, 5)
    },
  )

test(
  'after a move, after_fetch deletes the stored emails, and no others that have their old UIDs',
  installed,
  async t => {
    const user = 'deleting'
    const mailbox = await makeMailbox(server, old, { user, after_fetch: 'delete', after_fetch_days: 5 })
    fetchMails(t, server)
    await fillBoth(mailbox, user)
    await copyValidity(user)
    await server.db`
      update incoming_mails set after_fetch_due = now() where mailbox_id = ${mailbox.id}`
    await move(mailbox)
    await untilCompared(mailbox)
    await until(() => listMaildir(fresh.maildir(user)).length === 1)
    assert.match(readFileSync(listMaildir(fresh.maildir(user))[0]!, 'utf8'), /Arrived at the new server/)
  },
)

test('a move during the import of all email continues the import', installed, async t => {
  const user = 'importing'
  for (const subject of ['First', 'Second', 'Third']) await deliver(old, user, subject)
  for (const path of listMaildir(old.maildir(user)))
    utimesSync(path, new Date('2020-01-01'), new Date('2020-01-01'))
  const mailbox = await makeMailbox(server, old, { user, start_from: 'all' })
  const { stop } = fetchMails(t, server)
  const [, second] = await untilStored(mailbox, 3)
  await stop()
  await server.db`delete from incoming_mails where id = ${second!.id}`
  await server.db`
    update mailbox_folders set import_next_uid = 2, import_end_uid = 4 where mailbox_id = ${mailbox.id}`
  await deliver(fresh, user, 'Arrived at the new server')
  copyMails(user)
  await move(mailbox)
  fetchMails(t, server)
  await untilCompared(mailbox)
  const mails = await untilStored(mailbox, 4)
  assert.equal((await storedIn(mailbox)).length, 4)
  assert.equal(new Set(mails.map(({ sha256 }) => sha256)).size, 4)
})

test(
  'finds the first email since a time, although the server searches by dates in its own time zone',
  installed,
  async t => {
    const user = 'dated'
    await deliver(fresh, user, 'Early in the day')
    const [path] = listMaildir(fresh.maildir(user))
    const arrival = new Date('2026-01-02T01:00:00Z')
    utimesSync(path!, arrival, arrival)
    const { id, project_id } = { ...(await makeMailbox(server, fresh, { user })), project_id: server.acme.id }
    const mailbox = (await findFetchedMailbox(server.db, project_id, id))!
    const client = await openImap({ ...server, mayReach: mayReachAll }, mailbox)
    t.after(() => client.close())
    await client.mailboxOpen('INBOX')
    assert.equal(client.capabilities.has('WITHIN'), false)
    assert.equal(await findFirstUid(client, new Date('2026-01-02T00:30:00Z')), 1)
  },
)
