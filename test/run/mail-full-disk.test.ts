import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createClient } from '../client.ts'
import { deliverByLmtp, startDovecot } from '../dovecot.ts'
import { freePort } from '../free-port.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import { mountDisk } from '../small-disk.ts'
import { until } from '../until.ts'
import { deskbell, keyOf, makeFolder, startServer, stopServer } from './program.ts'

/** Writes until the disk is full. */
function fillUp(path: string): void {
  const file = openSync(path, 'a')
  const zeros = Buffer.alloc(4_096)
  try {
    for (;;) writeSync(file, zeros)
  } catch {
    closeSync(file)
  }
}

/** Large enough that it does not fit into the blocks that files have reserved. */
const makeLargeMail = (subject: string): string =>
  makeMail(subject, `${'A line of this email\r\n'.repeat(20_000)}`)

async function createMailboxes(t: TestContext, settings: { DATA_DIR: string }, imapPort: number) {
  const { items } = JSON.parse((await deskbell(settings, 'project', 'list', '--json')).stdout)
  const password = join(makeFolder(t), 'password')
  writeFileSync(password, 'secret\n')
  const create = async (...words: string[]) => {
    const made = await deskbell(settings, 'mailbox', 'create', '--project', items[0].id, '--json', ...words)
    assert.equal(made.status, 0, made.stderr)
  }
  await create('--address', 'listen@example.com', '--incoming', 'listen')
  await create(
    ...['--address', 'support@example.com', '--host', '127.0.0.1', '--port', String(imapPort)],
    ...['--security', 'none', '--user', 'support', '--password-file', password, '--start-from', 'all'],
  )
}

async function startOnSmallDisk(t: TestContext, disk: string, imapPort: number) {
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  spawnSync('cp', ['-a', join(process.env.DESKBELL_TEST_INSTALLATION!, 'postgres'), dataDir])
  const lmtpPort = await freePort()
  const settings = { DATA_DIR: dataDir, MAIL_LISTEN: `lmtp://127.0.0.1:${lmtpPort}` }
  const server = await startServer(t, settings)
  const api = createClient(`${server.url}/api/v1`, keyOf(server))
  await createMailboxes(t, settings, imapPort)
  return {
    server,
    receive: (subject: string) => deliverByLmtp(lmtpPort, 'listen@example.com', makeLargeMail(subject)),
    listSubjects: async (): Promise<string[]> =>
      (await api.get('/tickets?page_size=100')).body.items.map(
        (ticket: { subject: string }) => ticket.subject,
      ),
  }
}

test(
  'a full disk delays email and loses none, whether it is received or fetched',
  needs('dovecot'),
  async t => {
    const disk = mountDisk(t, 192 * 1_024)
    if (!disk) return t.skip('this user is not allowed to mount a disk')
    const dovecot = await startDovecot(t, { users: { support: 'secret' } })
    const { server, receive, listSubjects } = await startOnSmallDisk(t, disk, dovecot.imapPort)
    const fetchLater = (subject: string) => dovecot.deliver('support@example.com', makeLargeMail(subject))
    const untilTickets = (...subjects: string[]) =>
      until(async () => (await listSubjects()).sort().join() === subjects.sort().join(), 90)
    await receive('Received before')
    await fetchLater('Fetched before')
    await untilTickets('Received before', 'Fetched before')
    const ballast = join(disk, 'ballast')
    fillUp(ballast)
    await assert.rejects(receive('Received later'), { responseCode: 451 })
    await fetchLater('Fetched later')
    await until(() => /Could not (fetch a mailbox|record why)/.test(server.stdout + server.stderr))
    rmSync(ballast)
    await until(() =>
      receive('Received later').then(
        () => true,
        () => false,
      ),
    )
    await untilTickets('Received before', 'Fetched before', 'Received later', 'Fetched later')
    await stopServer(server)
  },
)
