import {
  type ImportedMembership,
  type ImportedOrganization,
  importContacts,
  importMessages,
  importOrganizations,
  importTickets,
} from '../imports/imports.ts'
import type { ImportedContact, ImportedLaterMessage, ImportedTicket } from '../imports/schema.ts'
import type { ImportContext, Importer, ImportItem, SkippedItem } from './importer.ts'
import { repeatWhileBusy } from './repeat-while-busy.ts'
import { type Counts, Tally, type Unmapped } from './tally.ts'

/** Imports everything that an importer yields, in batches. */

export interface ImportSummary {
  source: string
  is_dry_run: boolean
  organizations: Counts
  contacts: Counts
  tickets: Counts
  messages: Counts
  /** Records of the source that the importer could not read or use. */
  skipped: number
  unmapped: Unmapped[]
}

const maxItems = 100
/** Limits the text in a batch, so that long messages do not exhaust the memory. */
const maxCharacters = 4 * 1024 * 1024
const progressIntervalMs = 5_000

/** Records that are imported together: first the organizations, then the contacts, then the tickets, then the messages. */
class Batch {
  organizations: ImportedOrganization[] = []
  contacts: ImportedContact[] = []
  readonly memberships = new Map<string, ImportedMembership>()
  tickets: ImportedTicket[] = []
  messages: ImportedLaterMessage[] = []
  #size = 0
  #characters = 0

  add(added: Exclude<ImportItem, { kind: 'skipped' | 'unmapped' | 'existing' }>): void {
    if (added.kind === 'organization') this.organizations.push(added.item)
    if (added.kind === 'contact') this.contacts.push(added.item)
    if (added.kind === 'contact' && added.membership)
      this.memberships.set(added.item.source_id, added.membership)
    if (added.kind === 'ticket') this.tickets.push(added.item)
    if (added.kind === 'message') this.messages.push(added.item)
    const messages = added.kind === 'ticket' ? (added.item.messages ?? []) : []
    for (const { content, content_html } of added.kind === 'message' ? [added.item] : messages)
      this.#characters += content.length + (content_html?.length ?? 0)
    this.#size = Math.max(
      this.organizations.length,
      this.contacts.length,
      this.tickets.length,
      this.messages.length,
    )
  }

  get isFull(): boolean {
    return this.#size >= maxItems || this.#characters >= maxCharacters
  }
}

async function importBatch(context: ImportContext, batch: Batch, tally: Tally) {
  const { db, dryRun } = context
  const repeat = <T>(call: () => Promise<T>) => repeatWhileBusy(context, call)
  const { organizations, contacts, memberships, tickets, messages } = batch
  if (organizations.length > 0)
    tally.addResults('organizations', await repeat(() => importOrganizations(db, context, organizations)))
  if (contacts.length > 0)
    tally.addResults('contacts', await repeat(() => importContacts(db, context, contacts, memberships)))
  if (tickets.length > 0) {
    const results = await repeat(() => importTickets(db, context, tickets))
    tally.addResults('tickets', results)
    tally.addResults(
      'messages',
      results.flatMap(one => one.messages),
    )
  }
  // A dry run has not created the tickets of these messages.
  if (messages.length > 0 && dryRun) tally.messages.created += messages.length
  else if (messages.length > 0)
    tally.addResults('messages', await repeat(() => importMessages(db, context, messages)))
}

/** Returns a function that prints the progress, at most once every few seconds. */
function startProgress(context: ImportContext, importer: Importer, tally: Tally): () => void {
  let at = Date.now()
  return () => {
    if (Date.now() - at < progressIntervalMs) return
    at = Date.now()
    const total = importer.total === null ? '' : ` of ${importer.total}`
    context.tell(`${tally.processed}${total} messages processed, ${tally.tickets.created} tickets created`)
  }
}

export async function runImport(
  context: ImportContext,
  importer: Importer,
  onSkipped: (one: Omit<SkippedItem, 'kind'> & { record: string }) => void,
): Promise<ImportSummary> {
  const tally = new Tally(onSkipped)
  const tellProgress = startProgress(context, importer, tally)
  const sent = new Set<string>()
  let batch = new Batch()
  let writing: Promise<void> = Promise.resolve()
  // Reading continues while a batch is written. If writing fails, the error is thrown before the next batch is written.
  const flush = async () => {
    const full = batch
    batch = new Batch()
    await writing
    writing = importBatch(context, full, tally).then(tellProgress)
    writing.catch(() => undefined)
  }
  for await (const one of importer.read(context)) {
    context.signal.throwIfAborted()
    if (one.kind === 'skipped') tally.addSkipped(one)
    else if (one.kind === 'unmapped') tally.addUnmapped(one)
    else if (one.kind === 'existing') tally.messages.existing += one.messages
    else if (one.kind !== 'contact' || !sent.has(one.item.source_id)) {
      if (one.kind === 'contact') sent.add(one.item.source_id)
      batch.add(one)
    }
    if (batch.isFull) await flush()
  }
  await flush()
  await writing
  const { source, dryRun } = context
  const { organizations, contacts, tickets, messages, skipped } = tally
  const counts = { organizations, contacts, tickets, messages }
  return { source, is_dry_run: dryRun, ...counts, skipped, unmapped: tally.listUnmapped() }
}
