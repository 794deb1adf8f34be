import { availableParallelism } from 'node:os'
import {
  deleteAbandonedFolders,
  deleteMailFolder,
  makeMailFolder,
} from '../../channels/email/incoming/mail-folders.ts'
import { listImportedMessages } from '../../imports/imports.ts'
import { makeMailReader } from '../../mail/read.ts'
import type { ImportContext, Importer, ImportItem } from '../importer.ts'
import { readAhead } from '../read-ahead.ts'
import { type IndexedMail, indexMail } from './index-mail.ts'
import { findOwnAddresses } from './own-addresses.ts'
import type { RawMail } from './raw-mail.ts'
import type { MailContext } from './read-message.ts'
import { type ImportedThread, readThread, type ThreadOptions } from './read-thread.ts'
import { Threads } from './threads.ts'

/** Imports an archive of emails: the first pass finds the conversations, the second one reads them. */

/** An email that is not imported, with its path. */
export interface SkippedMail {
  path: string
  reason: string
}

export interface MailOptions extends ThreadOptions {
  /** Addresses and domains of the project, besides those of its mailboxes. */
  own: string[]
  scan(): Iterable<RawMail | SkippedMail>
}

const progressIntervalMs = 5_000
/** How many conversations are read ahead while earlier ones are written. */
const ahead = 32
/** How many emails are looked up at once to find out whether they were imported before. */
const maxLookup = 1_000

function* index({ tell }: ImportContext, { scan }: MailOptions, threads: Threads): Generator<ImportItem> {
  let told = Date.now()
  for (const found of scan()) {
    if ('reason' in found) yield { kind: 'skipped', source_id: found.path, reason: found.reason }
    else threads.add(indexMail(found))
    if (Date.now() - told < progressIntervalMs) continue
    told = Date.now()
    tell(`Emails found so far: ${threads.size}`)
  }
}

/** Divides the conversations into groups that each have about `maxLookup` emails. */
function* inGroups(threads: IndexedMail[][]): Generator<IndexedMail[][]> {
  let [group, size]: [IndexedMail[][], number] = [[], 0]
  for (const thread of threads) {
    group.push(thread)
    size += thread.length
    if (size < maxLookup) continue
    yield group
    group = []
    size = 0
  }
  if (group.length > 0) yield group
}

function describeKnown(thread: IndexedMail[], tickets: Map<string, string | null>): ImportedThread {
  const known = thread.map(one => one.sourceId).filter(id => tickets.has(id))
  const ticket = known.map(id => tickets.get(id)).find(id => typeof id === 'string') ?? null
  return { ticket, messages: new Set(known) }
}

async function* existing(messages: number): AsyncGenerator<ImportItem> {
  yield { kind: 'existing', messages }
}

/** Reads the conversations, except those that earlier runs have imported completely. */
async function* readThreads(context: MailContext, list: IndexedMail[][], options: MailOptions) {
  const { db, projectId, source } = context
  for (const group of inGroups(list)) {
    const ids = group.flatMap(thread => thread.map(one => one.sourceId))
    const found = await listImportedMessages(db, projectId, source, ids)
    const tickets = new Map(found.map(one => [one.source_id, one.ticket]))
    for (const thread of group) {
      const known = describeKnown(thread, tickets)
      if (known.messages.size > 0) yield existing(known.messages.size)
      if (known.messages.size < thread.length) yield readThread(context, thread, known, options)
    }
  }
}

export function makeMailImporter(options: MailOptions): Importer {
  const threads = new Threads()
  return {
    get total() {
      return threads.size
    },
    async *read(context) {
      yield* index(context, options, threads)
      context.tell(`Emails found: ${threads.size}, not counting ${threads.copies} duplicates`)
      const own = await findOwnAddresses(context.db, context.projectId, options.own)
      await deleteAbandonedFolders()
      const folder = await makeMailFolder()
      const reader = makeMailReader({ workers: availableParallelism(), slowMs: 0 })
      try {
        yield* readAhead(readThreads({ ...context, reader, folder, own }, threads.list(), options), ahead)
      } finally {
        await reader.close()
        await deleteMailFolder(folder)
      }
    },
  }
}
