import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from '../../test/database.ts'
import { openMailbox, receive, startSupport } from '../../test/mail/receiving.ts'
import { makeMail } from '../../test/mail.ts'
import { deskbell } from '../../test/run/program.ts'
import { until } from '../../test/until.ts'
import { newId } from '../core/ids.ts'

/** The commands about received emails. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)
const { server } = receiving
const { db, acme, rival } = server
const settings = { DATABASE_URL: addressOf(server.target), DATA_DIR: server.config.dataDir }

const run = (...words: string[]) => deskbell(settings, 'mail', ...words)

async function runJson(...words: string[]) {
  const { status, stdout, stderr } = await run(...words, '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

/** Gives the message the text that an earlier version might have stored. */
const misread = (id: string | null) => db`
  update messages set content = 'H?w are you?' where project_id = ${acme.id} and id = ${id}`

const contentOf = async (id: string | null): Promise<string> => (await get(`/messages/${id}`)).content

test('mail list shows the newest emails of a project in columns with headings, and filters them', async () => {
  const first = await receive(receiving, support, makeMail('Listed'))
  const loop = await receive(receiving, support, makeMail('Ours').replace('Ann <ann@', 'Ann <support@'))
  const { status, stdout } = await run('list', '--project', acme.id)
  assert.equal(status, 0)
  const [head, newest, older] = stdout.split('\n')
  assert.match(head!, /^ID +RECEIVED_AT +SENDER +SUBJECT +STATE +OUTCOME$/)
  assert.ok(newest!.startsWith(loop.id) && older!.startsWith(first.id), stdout)
  assert.match(older!, /ann@example\.com +Listed +done +new$/)
  const { items } = await runJson('list', '--project', acme.id, '--outcome', 'loop')
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    [loop.id],
  )
  assert.equal((await runJson('list', '--project', acme.id, '--limit', '1')).items.length, 1)
})

test('mail list shows nothing of another project, and refuses unknown values', async () => {
  assert.equal((await run('list', '--project', rival.id)).stdout, 'No emails\n')
  const wrong = await run('list', '--project', acme.id, '--outcome', 'lost')
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /^--outcome must be one of reply_token, .*, not "lost"\n$/)
  assert.match((await run('list', '--project', newId())).stderr, /^Project .* does not exist\n$/)
})

test('mail show prints the outcome, the headers and the text of an email', async () => {
  const mail = await receive(receiving, support, makeMail('Shown', 'Where is my lamp?'))
  const { stdout } = await run('show', mail.id)
  assert.match(stdout, new RegExp(`^id +${mail.id}$`, 'm'))
  assert.match(stdout, /^outcome +new$/m)
  assert.match(stdout, /^Subject: Shown$/m)
  assert.ok(stdout.endsWith('\n\nWhere is my lamp?\n'), stdout)
  const shown = await runJson('show', mail.id)
  assert.partialDeepStrictEqual(shown, { id: mail.id, changes: null, text: 'Where is my lamp?' })
})

test('for an email that does not exist, it prints one line and exits with status 2', async () => {
  for (const action of ['show', 'reparse'])
    for (const id of [newId(), 'nope']) {
      const { status, stderr } = await run(action, id)
      assert.equal(status, 2)
      assert.equal(
        stderr,
        `Email ${id} not found; list emails with bin/deskbell mail list --project PROJECT\n`,
      )
    }
})

test('mail reparse with an ID has the server read that email again', async () => {
  const mail = await receive(receiving, support, makeMail('By its ID'))
  await misread(mail.message_id)
  const { status, stdout } = await run('reparse', mail.id)
  assert.equal(status, 0)
  assert.equal(
    stdout,
    `Email ${mail.id} will be handled again. See the outcome with bin/deskbell mail show ${mail.id}\n`,
  )
  // Another process would look for the email after a second.
  await until(async () => (await contentOf(mail.message_id)) === 'How are you?')
  assert.deepEqual((await runJson('show', mail.id)).changes, ['content'])
})

test('mail reparse --since shows how messages would change, and stores it only with --apply', async () => {
  const mail = await receive(receiving, support, makeMail('Misread'))
  await misread(mail.message_id)
  const dry = await run('reparse', '--since', '7d', '--project', acme.id)
  assert.equal(dry.status, 0, dry.stderr)
  assert.ok(
    dry.stdout.startsWith(`${mail.id}  Misread\n  content\n  - H?w are you?\n  + How are you?\n\n`),
    dry.stdout,
  )
  assert.match(
    dry.stdout,
    /1 of \d+ emails would change\. Nothing is stored yet: run the same command with --apply/,
  )
  assert.equal(await contentOf(mail.message_id), 'H?w are you?')
  const applied = await runJson('reparse', '--since', '2020-01-01', '--apply')
  assert.partialDeepStrictEqual(applied, { is_applied: true, changed: 1, failed: 0, lost: 0 })
  assert.equal(await contentOf(mail.message_id), 'How are you?')
  const line = { field: 'content', before: 'H?w are you?', after: 'How are you?' }
  assert.partialDeepStrictEqual(applied.items, [{ id: mail.id, fields: ['content'], line, error: null }])
  const [audited] = await db`select author_type, action from audit_entries where target_id = ${mail.id}`
  assert.deepEqual({ ...audited }, { author_type: 'cli', action: 'mail.reparsed' })
  const again = await run('reparse', '--since', '7d')
  assert.match(again.stdout, /^None of \d+ emails would change\. There is nothing to do\.\n$/)
})

test('mail reparse --since reads only the emails of the project, the mailbox and the time', async () => {
  const mailbox = await openMailbox(receiving, 'sales@example.com')
  const mail = await receive(receiving, 'sales@example.com', makeMail('For sales'))
  const numbers = async (...words: string[]) => (await runJson('reparse', ...words)).read
  assert.equal(await numbers('--since', '7d', '--mailbox', mailbox.id), 1)
  assert.equal(await numbers('--since', '7d', '--project', rival.id), 0)
  assert.equal(await numbers('--since', '2999-01-01'), 0)
  await db`update incoming_mails set created_at = created_at - interval '8 days' where id = ${mail.id}`
  assert.equal(await numbers('--since', '7d', '--mailbox', mailbox.id), 0)
  const other = await run('reparse', '--since', '7d', '--mailbox', mailbox.id, '--project', rival.id)
  assert.equal(other.status, 2)
  assert.match(other.stderr, /^Mailbox .* not found; /)
})

test('mail reparse --since continues after an email that cannot be read, and counts lost originals', async () => {
  const [missing, lost] = [
    await receive(receiving, support, makeMail('Missing')),
    await receive(receiving, support, makeMail('Lost')),
  ]
  await db`update incoming_mails set storage_key = 'missing' where id = ${missing.id}`
  await db`update incoming_mails set storage_key = '' where id = ${lost.id}`
  const last = await receive(receiving, support, makeMail('After it'))
  await misread(last.message_id)
  const result = await runJson('reparse', '--since', '7d', '--apply')
  assert.partialDeepStrictEqual(result, { changed: 1, failed: 1, lost: 1 })
  assert.equal(await contentOf(last.message_id), 'How are you?')
  const { stdout } = await run('reparse', '--since', '7d')
  assert.match(stdout, /could not be read: /)
  assert.match(stdout, /^1 email cannot be read again: the original is no longer stored \(MAIL_RAW_DAYS\)/m)
})

test('mail reparse refuses options that cannot be combined', async () => {
  for (const [words, message] of [
    [[], /needs the ID of an email or --since/],
    [[newId(), '--since', '7d'], /takes an ID or --since, not both/],
    [[newId(), '--apply'], /^--apply needs --since/],
    [
      ['--since', 'yesterday'],
      /^--since must be a date such as 2026-01-31, or days such as 7d, not "yesterday"/,
    ],
  ] as const) {
    const { status, stderr } = await run('reparse', ...words)
    assert.equal(status, 2)
    assert.match(stderr, message)
  }
})
