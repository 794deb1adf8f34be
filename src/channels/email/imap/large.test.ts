import assert from 'node:assert/strict'
import { chownSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startDovecot } from '../../../../test/dovecot.ts'
import { fetchMails, findMailbox, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** Connecting a mailbox does not list all emails of a large folder. */

const count = 50_000

/** Fills the folder with hard links to one file. Dovecot treats each link as a separate email. */
function fill(folder: string, owner: { uid: number; gid: number }): void {
  for (const part of ['', 'cur', 'new', 'tmp']) {
    mkdirSync(join(folder, part), { recursive: true })
    chownSync(join(folder, part), owner.uid, owner.gid)
  }
  const text = makeMail('One of many')
  const first = join(folder, 'tmp', 'first')
  writeFileSync(first, text)
  chownSync(first, owner.uid, owner.gid)
  for (let at = 0; at < count; at++)
    linkSync(first, join(folder, 'cur', `${1_700_000_000 + at}.M1P1.vm,S=${text.length}:2,S`))
}

test(
  'fetches only the new email from a folder with 50,000 emails, and uses little memory',
  needs('dovecot'),
  async t => {
    const server = await startServer({ delivers: false })
    t.after(() => server.close())
    const dovecot = await startDovecot(t, { users: { support: 'secret' } })
    fill(dovecot.maildir('support'), statSync(join(dovecot.folder, 'mail')))
    const mailbox = await makeMailbox(server, dovecot)
    const before = process.memoryUsage().rss
    fetchMails(t, server)
    await until(async () => (await findMailbox(server, mailbox)).last_ok_at, 120)
    await dovecot.deliver('support@example.com', makeMail())
    const mails = await until(async () => {
      const found = await listMails(server, server.acme)
      return found.length > 0 && found
    })
    assert.deepEqual(
      mails.map(({ uid }) => uid),
      [count + 1],
    )
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024
    assert.ok(grown < 60, `${grown} MiB`)
  },
)
