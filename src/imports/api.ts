import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { ApiError, InvalidRequest } from '../core/errors.ts'
import {
  findImport,
  importContacts,
  importMessages,
  importTickets,
  listImports,
  removeImport,
} from './imports.ts'
import {
  contactImport,
  importedSource,
  importList,
  importResults,
  messageImport,
  removalQuery,
  sourceNamePattern,
  ticketImport,
  ticketImportResults,
} from './schema.ts'

const tag = 'Import'

/** The name of an import. The first call with a name creates the import. */
function sourceOf({ source = '' }: Record<string, string>): string {
  if (sourceNamePattern.test(source)) return source
  const msg = `String should match pattern '${sourceNamePattern.source}'`
  throw new InvalidRequest([{ type: 'string_pattern_mismatch', loc: ['path', 'source'], msg, input: source }])
}

/** The name of an existing import. */
function knownSource({ source = '' }: Record<string, string>): string {
  if (sourceNamePattern.test(source)) return source
  throw new ApiError('IMPORT_NOT_FOUND')
}

export const importEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/import',
    tag,
    summary: 'List the imports',
    description: 'The imports of the project, oldest first, with the number of records of each.',
    responses: { 200: importList },
    errors: [],
    run: async ({ db, project }) => ({ items: [...(await listImports(db, project.id))] }),
  }),
  endpoint({
    method: 'GET',
    path: '/import/{source}',
    tag,
    summary: 'Read an import',
    description:
      'While the import is being removed, the counts go down. The response is 404 when everything has been deleted.',
    responses: { 200: importedSource },
    errors: ['IMPORT_NOT_FOUND'],
    async run({ db, project, params }) {
      const found = await findImport(db, project.id, knownSource(params))
      if (!found) throw new ApiError('IMPORT_NOT_FOUND')
      return found
    },
  }),
  endpoint({
    method: 'POST',
    path: '/import/{source}/contacts',
    tag,
    summary: 'Import contacts',
    description: `Items are recognised by \`source_id\`, so a repeated call creates nothing twice. An item with a problem is skipped, with the reason, and the others are imported. If the project already has a contact with one of the identifiers, this contact is matched and stays unchanged.`,
    body: contactImport,
    responses: { 200: importResults },
    errors: ['IMPORT_REMOVING'],
    examples: { body: { items: [{ source_id: '7', email: 'ann@example.com', full_name: 'Ann Lee' }] } },
    async run({ db, project, params, body }) {
      const target = { projectId: project.id, source: sourceOf(params), dryRun: body.dry_run }
      return { items: await importContacts(db, target, body.items) }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/import/{source}/tickets',
    tag,
    summary: 'Import tickets with their messages',
    description:
      'Items are recognised by `source_id`. An item with a problem is skipped, with the reason, and the others are imported. ' +
      'Tickets keep their times and authors, and their numbers if these are free. Nothing is sent, nobody is notified, ' +
      'and no event is emitted unless `emit` is true. A ticket that was imported before stays unchanged, except that new messages are added.',
    body: ticketImport,
    responses: { 200: ticketImportResults },
    errors: ['IMPORT_REMOVING'],
    examples: {
      body: {
        items: [
          {
            source_id: '42',
            number: 42,
            subject: 'Cannot pay',
            status: 'closed',
            contact: { source_id: '7', email: 'ann@example.com', full_name: 'Ann Lee' },
            created_at: '2024-03-01T09:00:00Z',
            messages: [
              {
                source_id: '42-1',
                author: { type: 'contact' },
                content: 'My card is refused.',
                created_at: '2024-03-01T09:00:00Z',
              },
            ],
          },
        ],
      },
    },
    async run({ db, project, params, body }) {
      const { dry_run: dryRun, emit, items } = body
      const target = { projectId: project.id, source: sourceOf(params), dryRun, emit }
      return { items: await importTickets(db, target, items) }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/import/{source}/messages',
    tag,
    summary: 'Add messages to imported tickets',
    description: 'Use it for tickets with more than a hundred messages. Items are recognised by `source_id`.',
    body: messageImport,
    responses: { 200: importResults },
    errors: ['IMPORT_REMOVING'],
    examples: {
      body: {
        items: [
          {
            ticket: '42',
            source_id: '42-2',
            author: { type: 'operator', email: 'omar@example.com', name: 'Omar' },
            content: 'Please try another card.',
            created_at: '2024-03-01T10:00:00Z',
          },
        ],
      },
    },
    async run({ db, project, params, body }) {
      const { dry_run: dryRun, emit, items } = body
      const target = { projectId: project.id, source: sourceOf(params), dryRun, emit }
      return { items: await importMessages(db, target, items) }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/import/{source}',
    tag,
    summary: 'Remove an import',
    description:
      'Deletes what the import created, in the background. `GET /import/{source}` shows the progress, and returns 404 when everything has been deleted. ' +
      'Tickets with messages that are not from the import are kept and counted in `kept`, unless `force` is true. Contacts with other tickets are kept. No event is emitted.',
    query: removalQuery,
    responses: { 202: importedSource },
    errors: ['IMPORT_NOT_FOUND'],
    run: ({ db, project, params, query }) => removeImport(db, project.id, knownSource(params), query),
  }),
]
