import type { Readable } from 'node:stream'
import { recordAudit } from '../audit/audit.ts'
import { getContact } from '../contacts/contacts.ts'
import { anyId, type Db, type Fragment } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import {
  addZipEntry,
  type ExportedTable,
  entryName,
  exportedTables,
  openZip,
  readRows,
  textEntry,
  type ZipDraft,
} from '../exports/exports.ts'
import type { Storages } from '../media/media.ts'
import { pageEnd, printHead, printPageMessage, printTicketLink, ticketPageName } from './conversation-page.ts'
import {
  findPersonRecords,
  isWrittenElsewhere,
  listFilesToExport,
  listMessagesToExport,
  listTicketsToExport,
  type TicketToExport,
} from './export-queries.ts'
import { listContactIds } from './queries.ts'

/** The export of a contact: a zip file that is made while it is downloaded, so that no copy stays on the server. */

const minId = '00000000-0000-0000-0000-000000000000'
const pageSize = 200

interface ContactExport {
  db: Db
  storages: Storages
  projectId: string
  contactIds: string[]
  name: string
}

const tableOf = (name: string): ExportedTable => exportedTables.find(table => table.name === name)!

async function* printRows(
  { db, projectId }: ContactExport,
  table: ExportedTable,
  condition: Fragment,
): AsyncGenerator<string> {
  let after = minId
  for (;;) {
    const rows = await readRows(db, projectId, table, after, pageSize, condition)
    if (rows.length) yield `${rows.map(row => row.line).join('\n')}\n`
    if (rows.length < pageSize) return
    after = rows.at(-1)!.id
  }
}

async function* listTickets({ db, projectId, contactIds }: ContactExport): AsyncGenerator<TicketToExport> {
  let after = minId
  for (;;) {
    const tickets = await listTicketsToExport(db, projectId, contactIds, after, pageSize)
    yield* tickets
    if (tickets.length < pageSize) return
    after = tickets.at(-1)!.id
  }
}

/** Ticket by ticket, because the messages of a ticket have an index. */
async function* printMessages(from: ContactExport): AsyncGenerator<string> {
  const { db, projectId, contactIds } = from
  for await (const { id } of listTickets(from))
    yield* printRows(from, tableOf('messages'), db`and r.ticket_id = ${id}`)
  yield* printRows(from, tableOf('messages'), isWrittenElsewhere(db, projectId, contactIds))
}

async function* printIndex(from: ContactExport): AsyncGenerator<string> {
  yield printHead(from.name)
  for await (const ticket of listTickets(from)) yield printTicketLink(ticket)
  yield pageEnd
}

async function* printConversation(
  { db, projectId }: ContactExport,
  ticket: TicketToExport,
): AsyncGenerator<string> {
  yield printHead(`#${ticket.number} ${ticket.subject}`)
  let after = { created_at: '-infinity', id: minId }
  for (;;) {
    const messages = await listMessagesToExport(db, projectId, ticket.id, after, pageSize)
    yield messages.map(printPageMessage).join('')
    if (messages.length < pageSize) break
    after = messages.at(-1)!
  }
  yield pageEnd
}

async function addFiles(
  draft: ZipDraft,
  { db, storages, projectId }: ContactExport,
  ticketId: string,
): Promise<void> {
  let after = minId
  for (;;) {
    const files = await listFilesToExport(db, projectId, ticketId, after, pageSize)
    for (const file of files) {
      const place = await storages.find(file.bucket_id)
      const content = place && (await place.storage.read(file.storage_key))
      if (content) await addZipEntry(draft, entryName(file), content, false)
    }
    if (files.length < pageSize) return
    after = files.at(-1)!.id
  }
}

async function fill(draft: ZipDraft, from: ContactExport): Promise<void> {
  const { db, projectId, contactIds } = from
  const own = db`and r.id = ${anyId(db, contactIds)}`
  const add = (name: string, pages: AsyncIterable<string>) => addZipEntry(draft, name, textEntry(pages))
  await add('index.html', printIndex(from))
  await add('contact.jsonl', printRows(from, tableOf('contacts'), own))
  draft.zip.addBuffer(
    Buffer.from(JSON.stringify(await findPersonRecords(db, projectId, contactIds), null, 2)),
    'sessions.json',
  )
  await add(
    'tickets.jsonl',
    printRows(from, tableOf('tickets'), db`and r.contact_id = ${anyId(db, contactIds)}`),
  )
  await add('messages.jsonl', printMessages(from))
  for await (const ticket of listTickets(from)) {
    await add(ticketPageName(ticket), printConversation(from, ticket))
    await addFiles(draft, from, ticket.id)
  }
}

/** Each export is audited before it is sent. */
export async function exportContact(
  { db, storages }: Pick<ContactExport, 'db' | 'storages'>,
  { project, actor }: Caller,
  reference: string,
): Promise<Readable> {
  const { id, full_name, email } = await getContact(db, project.id, reference)
  await recordAudit(db, project.id, actor, 'contact.exported', { type: 'contact', id })
  const contactIds = await listContactIds(db, project.id, id)
  const name = full_name ?? email ?? id
  const from = { db, storages, projectId: project.id, contactIds, name }
  return openZip(draft => fill(draft, from))
}
