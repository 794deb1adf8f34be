import Type, { type Static } from 'typebox'
import { id, nullable, oneOf, time } from '../core/schema.ts'
import { importedContact } from './contact-schema.ts'
import { importedLaterMessage, importedTicket, maxImportedItems } from './ticket-schema.ts'

export * from './contact-schema.ts'
export * from './message-schema.ts'
export * from './ticket-schema.ts'

/** Requests and responses of the import. */

export const sourceNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/

const itemsOf = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Array(item, { minItems: 1, maxItems: maxImportedItems })

const dryRun = {
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Returns what would happen, and writes nothing' }),
  ),
}

const emit = {
  emit: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Emits `ticket.created` and `message.created` for what is new. Nothing is sent to contacts, and nobody is notified',
    }),
  ),
}

export const contactImport = Type.Object({ items: itemsOf(importedContact), ...dryRun })
export const ticketImport = Type.Object({ items: itemsOf(importedTicket), ...emit, ...dryRun })
export const messageImport = Type.Object({ items: itemsOf(importedLaterMessage), ...emit, ...dryRun })

export const importStatuses = ['created', 'existing', 'matched', 'skipped'] as const

const warning = Type.Object({
  field: Type.String({ description: 'The field that was left out or changed', examples: ['operator'] }),
  value: Type.Unsafe<unknown>({ description: 'The value that was sent' }),
  reason: Type.String({
    description:
      '`unknown_operator`, `unknown_department`, `unknown_field`, `wrong_type`, `no_option`, `number_taken`, `identifier_taken`, `not_found`, `past`, and others',
    examples: ['unknown_operator'],
  }),
})
export type ImportWarning = Static<typeof warning>

export const importResult = Type.Object(
  {
    source_id: Type.String({ examples: ['1042'] }),
    id: nullable({
      ...id,
      description:
        'The id of the record in this project; null if the item was skipped or is new in a dry run',
    }),
    status: oneOf(importStatuses, {
      description:
        '`existing`: imported before. `matched`: a contact of the project already has one of the identifiers, and stays unchanged',
    }),
    reason: nullable(Type.String({ description: 'Why the item was skipped' })),
    warnings: Type.Array(warning),
  },
  { title: 'ImportResult' },
)
export type ImportResult = Static<typeof importResult>

export const importResults = Type.Object({ items: Type.Array(importResult) }, { title: 'ImportResults' })
export type ImportResults = Static<typeof importResults>

/** A result of a ticket, with those of its messages. */
export const ticketImportResults = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { ...importResult.properties, messages: Type.Array(importResult) },
        { title: 'TicketImportResult' },
      ),
    ),
  },
  { title: 'TicketImportResults' },
)

const count = (words: { description: string }) => Type.Integer({ minimum: 0, ...words })

export const importKinds = ['contact', 'organization', 'ticket', 'message', 'media'] as const
export type ImportKind = (typeof importKinds)[number]

export const importedSource = Type.Object(
  {
    source: Type.String({ examples: ['zendesk'] }),
    state: oneOf(['open', 'removing'], {
      description: '`removing`: it is being removed in the background',
    }),
    contacts: count({ description: 'Contacts that the import created' }),
    matched_contacts: count({ description: 'Contacts that were found in the project' }),
    organizations: count({ description: 'Organizations that the import created' }),
    tickets: count({ description: 'Tickets that the import created' }),
    messages: count({ description: 'Messages that the import created' }),
    files: count({ description: 'Files of the import' }),
    kept: count({
      description:
        'Tickets that the last removal kept because they have messages that are not from the import',
    }),
    created_at: time,
    last_import_at: time,
    removal_started_at: nullable(time),
    removal_finished_at: nullable(time),
  },
  { title: 'Import' },
)
export type ImportedSource = Static<typeof importedSource>

export const importList = Type.Object({ items: Type.Array(importedSource) })

export const removalQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also deletes tickets with later messages that are not from the import',
    }),
  ),
})
