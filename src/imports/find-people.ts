import { listKnownContacts } from './contact-queries.ts'
import { createOperatorFinder } from './people.ts'
import { prepareContact } from './prepare-contacts.ts'
import type { PreparedMessage } from './prepare-messages.ts'
import { type ContactToPut, findImportedIds, putContacts } from './put-contacts.ts'
import { ItemReport } from './report.ts'
import type { ImportRun } from './run.ts'
import type { ImportedOperator } from './schema.ts'
import type { KnownPeople } from './senders.ts'

/** Finds the contacts and operators to whom the items of a call refer. */

interface NamedPeople {
  /** Contacts that the items contain. */
  contacts: ContactToPut[]
  /** Ids of imported contacts in the other system. */
  sourceIds: string[]
  operators: (ImportedOperator | null | undefined)[]
  /** Contacts of existing tickets. */
  contactIds: string[]
  messages: PreparedMessage[]
}

const contactsOf = ({ item: { author, reactions = [] } }: PreparedMessage): string[] =>
  [author, ...reactions].flatMap(({ source_id }) => source_id ?? [])

const operatorsOf = ({ item: { author, reactions = [] } }: PreparedMessage): ImportedOperator[] => [
  ...(author.type === 'operator' ? [author] : []),
  ...reactions.filter(({ reactor_kind }) => reactor_kind === 'operator'),
]

/** In a dry run, contacts may be missing because an earlier dry run wrote nothing. They are created and rolled back. */
const toPlaceholder = (source_id: string): ContactToPut => {
  const prepared = prepareContact({ source_id })
  return { prepared, report: new ItemReport(source_id, null, []) }
}

export async function findPeople(run: ImportRun, named: NamedPeople): Promise<KnownPeople> {
  const { tx, isDryRun } = run
  const messages = named.messages.filter(({ problem }) => problem === null)
  const sourceIds = new Set([...named.sourceIds, ...messages.flatMap(contactsOf)])
  const earlier = await findImportedIds(run, 'contact', sourceIds)
  const given = new Set(named.contacts.map(({ prepared }) => prepared.item.source_id))
  const missing = isDryRun ? [...sourceIds].filter(id => !earlier.has(id) && !given.has(id)) : []
  const put = await putContacts(run, [...named.contacts, ...missing.map(toPlaceholder)])
  const found = new Map([...earlier, ...put])
  const rows = await listKnownContacts(tx, tx.projectId, [
    ...new Set([...found.values(), ...named.contactIds]),
  ])
  const contacts = new Map(rows.map(({ id, ...contact }) => [id, contact]))
  const survivors = [...found].map(
    ([sourceId, id]) => [sourceId, contacts.get(id)?.survivor_id ?? id] as const,
  )
  return {
    projectId: tx.projectId,
    findOperator: await createOperatorFinder(run, [...named.operators, ...messages.flatMap(operatorsOf)]),
    contactIds: new Map(survivors),
    contacts,
  }
}
