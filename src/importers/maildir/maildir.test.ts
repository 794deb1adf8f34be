import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startImporting, writeArchivedMail } from '../../../test/importing.ts'
import { corpus } from '../../../test/mail/manifest.ts'

const { server, folder, run, importJson, listSkipped } = await startImporting()
const { db, acme, rival } = server

function makeMaildir(name: string): string {
  const path = join(folder, name)
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(path, part), { recursive: true })
  return path
}

const put = (path: string, id: string, from = 'ann@example.com') =>
  writeFileSync(path, writeArchivedMail({ id, from, date: 'not a date' }))

test('the emails in cur and new of all folders are imported, except drafts, deleted emails and the folders of --without', async () => {
  const root = makeMaildir('flags')
  put(join(root, 'cur', '1767607200.M1P1.host:2,S'), 'seen')
  put(join(root, 'cur', '1767607201.M1P1.host:2,DS'), 'draft')
  put(join(root, 'cur', '1767607202.M1P1.host:2,ST'), 'deleted')
  put(join(root, 'new', '1767607203.M1P1.host'), 'new')
  put(join(root, 'tmp', '1767607204.M1P1.host'), 'unfinished')
  put(join(makeMaildir('flags/.Archive.2025'), 'cur', '1767607205.M1P1.host:2,S'), 'archived')
  put(join(makeMaildir('flags/Folder/Inner'), 'cur', '1767607206.M1P1.host:2,S'), 'inner')
  put(join(makeMaildir('flags/.Junk'), 'cur', '1767607207.M1P1.host:2,S'), 'junk')
  const counts = await importJson('maildir', root, '--source', 'flags', '--without', 'Junk,Trash')
  assert.partialDeepStrictEqual(counts, { messages: { created: 4 }, skipped: 2 })
  const rows = await db`
    select email->>'message_id' as id, to_char(created_at at time zone 'UTC', 'SS') as second from messages
    where project_id = ${acme.id} order by created_at`
  // The name of the file contains the delivery time.
  assert.deepEqual(
    rows.map(({ id, second }) => [id, second]),
    [
      ['<seen>', '00'],
      ['<new>', '03'],
      ['<archived>', '05'],
      ['<inner>', '06'],
    ],
  )
  assert.deepEqual(
    listSkipped()
      .map(one => one.reason)
      .sort(),
    ['deleted', 'draft'],
  )
  const other = await db`select from messages where project_id = ${rival.id}`
  assert.equal(other.length, 0)
})

test('each email of the hostile corpus is imported or listed, and a second run gives the same result', async () => {
  const root = makeMaildir('corpus')
  const names = readdirSync(corpus).filter(name => name.endsWith('.eml'))
  for (const name of names)
    copyFileSync(fileURLToPath(new URL(name, corpus)), join(root, 'cur', `${name}:2,S`))
  const { messages, skipped } = await importJson('maildir', root, '--source', 'corpus')
  const copies = names.length - messages.created - skipped
  assert.deepEqual(
    [messages.skipped, listSkipped().map(one => one.reason), copies],
    [0, Array.from({ length: skipped }, () => 'no_sender'), 1],
  )
  assert.ok(skipped <= 1)
  const again = await importJson('maildir', root, '--source', 'corpus')
  assert.partialDeepStrictEqual(again, { messages: { created: 0, existing: messages.created }, skipped })
})

test('a folder that is not a Maildir is refused', async () => {
  mkdirSync(join(folder, 'empty'))
  const { status, stderr } = await run('maildir', join(folder, 'empty'), '--project', acme.id)
  assert.equal(status, 2)
  assert.match(stderr, /is not a Maildir: it has no folder "cur" or "new"/)
})
