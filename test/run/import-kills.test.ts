import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { createProject } from '../../src/projects/projects.ts'
import { startImporting, writeArchivedMail } from '../importing.ts'
import { until } from '../until.ts'
import { startZendesk, zendeskEmail, zendeskToken } from '../zendesk.ts'
import { makeZendeskAccount } from '../zendesk-account.ts'
import { type Program, run } from './program.ts'

/** An import that is interrupted by kill -9 and run again has the same result as one that was never interrupted. */

const { server, folder, settings } = await startImporting()
const { db } = server

const start = (projectId: string, words: string[]): Program =>
  run(process.execPath, [join(root, 'src/cli/main.ts'), 'import', ...words, '--project', projectId], settings)

async function finish(program: Program): Promise<void> {
  const { status, stderr } = await program.ended
  assert.equal(status, 0, stderr)
}

async function kill({ child, ended }: Program): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** For a lock of this file's database. */
const holdId = 1

/** Kills an import in the middle: after this many more messages, it waits for a lock. */
async function killAfter(projectId: string, more: number, words: string[]): Promise<void> {
  const before = await countMessages(projectId)
  await db.unsafe(`
    create function hold() returns trigger language plpgsql as $$ begin
      if (select count(*) from messages where project_id = new.project_id) >= ${before + more} then
        perform pg_advisory_xact_lock(${holdId});
      end if;
      return new;
    end $$;
    create trigger hold before insert on messages for each row execute function hold()`)
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(${holdId})`
    const program = start(projectId, words)
    await until(async () => (await countMessages(projectId)) > before)
    await kill(program)
  })
  await db`drop function hold cascade`
}

const countMessages = async (projectId: string): Promise<number> =>
  (await db`select from messages where project_id = ${projectId}`).count

/** What was imported, without ids, because they differ between imports. */
const listImported = (projectId: string) => db`
  select t.number, t.subject, t.status, c.email, m.sender_type, m.sender_name, m.content, m.created_at,
    (select array_agg(f.filename || f.size order by f.filename) from media f
      where f.project_id = m.project_id and f.message_id = m.id) as files
  from tickets t join contacts c on c.project_id = t.project_id and c.id = t.contact_id
    left join messages m on m.project_id = t.project_id and m.ticket_id = t.id
  where t.project_id = ${projectId} order by t.number, m.created_at, m.content`

/** Ticket numbers depend on the order in which the tickets were written. */
const listWithoutNumbers = async (projectId: string) =>
  (await listImported(projectId)).map(({ number: _, ...row }) => JSON.stringify(row)).sort()

/** One project for the import that is killed, and one for the import that is not. */
const makeProjects = async () =>
  [await createProject(db, { name: 'Killed' }), await createProject(db, { name: 'Complete' })] as const

test('each email of a Maildir is imported once, even if the import is killed twice', async () => {
  const [killed, complete] = await makeProjects()
  const maildir = join(folder, 'maildir')
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(maildir, part), { recursive: true })
  for (let at = 0; at < 500; at++) {
    const mail = {
      id: `${at}@example.com`,
      from: `ann${at % 50}@example.com`,
      subject: `Question ${at % 450}`,
      ...(at >= 450 && { answers: `${at - 450}@example.com` }),
    }
    writeFileSync(join(maildir, 'cur', `${1_767_607_200 + at}.M1P${at}.host:2,S`), writeArchivedMail(mail))
  }
  const words = ['maildir', maildir]
  // More than a batch has, whose messages are visible only after its end.
  for (let kills = 0; kills < 2; kills++) await killAfter(killed.id, 160, words)
  assert.ok((await countMessages(killed.id)) < 500)
  await finish(start(killed.id, words))
  await finish(start(complete.id, words))
  const imported = await listWithoutNumbers(killed.id)
  assert.equal(imported.length, 500)
  assert.deepEqual(imported, await listWithoutNumbers(complete.id))
})

test('each ticket, comment and file of Zendesk is imported once, even if the import is killed twice', async t => {
  const [killed, complete] = await makeProjects()
  const zendesk = await startZendesk(makeZendeskAccount)
  t.after(() => zendesk.close())
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, zendeskToken)
  const access = ['--url', zendesk.url, '--email', zendeskEmail, '--token-file', tokenFile]
  const words = ['zendesk', ...access]
  let running: Program
  let calls = 0
  zendesk.fault = path => {
    if (path.includes('/comments.json') && [60, 130].includes(++calls)) running.child.kill('SIGKILL')
    return false
  }
  for (let runs = 0; runs < 2; runs++) {
    running = start(killed.id, words)
    assert.equal((await running.ended).status, null)
  }
  running = start(killed.id, words)
  await finish(running)
  zendesk.fault = null
  await finish(start(complete.id, words))
  const imported = await listImported(killed.id)
  assert.equal(imported.length, 400)
  assert.deepEqual([...imported], [...(await listImported(complete.id))])
})
