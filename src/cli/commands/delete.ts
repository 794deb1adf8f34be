import { createInterface } from 'node:readline/promises'
import { loadSecretKey, verifySecretKey } from '../../core/config/secret-key.ts'
import { SetupError } from '../../core/config/setup-error.ts'
import { createVault } from '../../core/crypto.ts'
import { UserError } from '../../core/user-error.ts'
import {
  beginDeletion,
  createDeletion,
  type DeletionStep,
  deleteStrayObjects,
  findPlannedDeletion,
  type PlannedDeletion,
} from '../../deletions/deletions.ts'
import { createStorages, deleteDueStrayObjects } from '../../media/media.ts'
import { command } from '../command.ts'
import { count, output } from '../output.ts'
import { UsageError } from '../parse.ts'
import type { CliSession } from '../session.ts'

const describe = ({ name, tickets, messages, files }: PlannedDeletion): string =>
  `"${name}" has ${count(tickets, 'ticket')}, ${count(messages, 'message')} and ${count(files, 'file')}`

const wordOf = ({ slug, id }: PlannedDeletion): string => slug ?? id

/** Requires the project's name a second time, because a deletion cannot be undone. */
async function confirm(doomed: PlannedDeletion, yes: string | undefined): Promise<void> {
  const word = wordOf(doomed)
  if (yes === undefined && !process.stdin.isTTY)
    throw new UsageError(`${describe(doomed)}; add --yes ${word} to delete it without confirmation`)
  const typed = yes ?? (await ask(`${describe(doomed)}. This cannot be undone. Type ${word} to delete it: `))
  if (typed.trim() !== word) throw new UserError(`"${typed.trim()}" is not ${word}, so nothing was deleted`)
}

async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await reader.question(question)
  } finally {
    reader.close()
  }
}

const progressIntervalMs = 2_000

/** Prints the progress at each new table and at intervals. */
function createTeller() {
  let [all, table, told] = [0, '', 0]
  return (step: DeletionStep): number => {
    if (step.is === 'deleting') all += step.rows
    const now = step.is === 'deleting' ? step.table : step.is
    if (
      (now !== table && performance.now() - told > progressIntervalMs / 4) ||
      performance.now() - told > progressIntervalMs
    ) {
      output.tell(
        step.is === 'waiting' ? 'waiting for requests in progress' : `${now}: ${all} rows deleted so far`,
      )
      told = performance.now()
    }
    table = now
    return all
  }
}

/** How long deleting objects is retried if it fails. */
const objectTimeoutMs = 10_000

async function removeObjects({ db, config, log }: CliSession, id: string, leaves: boolean): Promise<number> {
  if (leaves) return (await deleteStrayObjects(db, id)).count
  const key = loadSecretKey(config)
  await verifySecretKey(db, key)
  return deleteDueStrayObjects(db, createStorages({ config, db, vault: createVault(key) }), log, 100, id)
}

async function deleteAll(session: CliSession, { id }: PlannedDeletion, leaves: boolean): Promise<number> {
  const step = createDeletion(session.db, id)
  const tell = createTeller()
  let moved = performance.now()
  for (;;) {
    const done = await step()
    const rows = tell(done)
    if (done.is === 'gone') return rows
    if (done.is !== 'objects' || (await removeObjects(session, id, leaves)) > 0) moved = performance.now()
    else if (performance.now() - moved > objectTimeoutMs)
      throw new SetupError(
        `The rows are deleted, but ${done.left} objects in the project's bucket could not be deleted yet; the server keeps trying. If the bucket no longer exists, or the objects should stay, add --leave-objects`,
      )
  }
}

export const deleteCommand = command(
  {
    name: 'project delete',
    about:
      "Closes a project and deletes everything in it. Asks you to type the slug, unless you pass it with --yes. An interrupted deletion is continued by the server, or by this command. With --leave-objects, objects that cannot be deleted from the project's own bucket stay there",
    arguments: ['SLUG'],
    optional: ['yes'],
    flags: ['leave-objects'],
  },
  async (session, { SLUG = '', yes, 'leave-objects': leaves }) => {
    const doomed = await findPlannedDeletion(session.db, SLUG)
    await confirm(doomed, yes)
    if (!doomed.is_deleting) await beginDeletion(session.db, doomed)
    const rows = await deleteAll(session, doomed, leaves === 'yes')
    const { id, name, slug, tickets, messages, files } = doomed
    return { id, name, slug, tickets, messages, files, rows, is_deleted: true }
  },
  ({ name, tickets, messages, files, rows }) =>
    `"${name}" is deleted: ${tickets} tickets, ${messages} messages and ${files} files, ${rows} rows in total. The server deletes its files from the disk within minutes`,
)
