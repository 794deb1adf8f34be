import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deskbell } from './program.ts'

/** Adds a mailbox to the first project on the command line. It fetches all email of the account `support`. */
export async function createMailbox(
  dataDir: string,
  imapPort: number,
): Promise<{ id: string; project: string }> {
  const settings = { DATA_DIR: dataDir }
  const { items } = JSON.parse((await deskbell(settings, 'project', 'list', '--json')).stdout)
  const file = join(dataDir, 'password')
  writeFileSync(file, 'secret\n')
  const made = await deskbell(
    settings,
    ...['mailbox', 'create', '--project', items[0].id, '--address', 'support@example.com'],
    ...['--host', '127.0.0.1', '--port', String(imapPort), '--security', 'none'],
    ...['--user', 'support', '--password-file', file, '--start-from', 'all', '--json'],
  )
  assert.equal(made.status, 0, made.stderr)
  return { id: JSON.parse(made.stdout).id, project: items[0].id }
}
