import { isEmail } from '../../core/email.ts'
import type { MailOptions } from '../../importers/mail/import-mails.ts'
import type { ImportSummary } from '../../importers/run-import.ts'
import { findProject } from '../../projects/projects.ts'
import { auditCommand } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { output } from '../output.ts'
import { UsageError, type Values } from '../parse.ts'
import { drawRecords } from '../table.ts'
import { drawImport, importNotes, importOptions, importWith, readImportName } from './import-options.ts'
import { readSecretFile, readWord } from './option-values.ts'
import { asUserErrors } from './user-errors.ts'

/** Loaded on demand, because other commands need none of it. */
const imports = () => import('../../imports/imports.ts')
const repeats = () => import('../../importers/repeat-while-busy.ts')
const mboxes = () => import('../../importers/mbox/mbox.ts')
const zendesks = () => import('../../importers/zendesk/zendesk.ts')
const maildirs = () => import('../../importers/maildir/maildir.ts')
const archives = () => import('../../importers/archive/archive.ts')

const readList = (word: string | undefined): string[] =>
  (word ?? '')
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)

/** Addresses, and domains such as `@acme.example`. */
function readOwn(word: string | undefined): string[] {
  const own = readList(word)
  const wrong = own.find(one => !isEmail(one.startsWith('@') ? `x${one}` : one))
  if (wrong === undefined) return own
  throw new UsageError(
    `--own should be addresses or domains such as support@acme.example,@acme.example, not "${wrong}"`,
  )
}

const readMailOptions = ({ own, status }: Values): Omit<MailOptions, 'scan'> => ({
  own: readOwn(own),
  status: readWord('status', ['closed', 'open'], status) ?? 'closed',
})

/** Plain http would send the token unencrypted, so it is allowed only on this machine. */
function readZendeskUrl(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : null
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url && (url.protocol === 'https:' || isLocal)) return url.origin
  throw new UsageError(`--url should be an https address such as https://acme.zendesk.com, not "${word}"`)
}

const mailNotes = {
  own: 'your addresses and domains, separated by commas, in addition to those of mailboxes and operators',
  status: 'the status of the tickets; by default closed',
}

const choices = { status: ['closed', 'open'] }

export const importCommands: Command[] = [
  command<ImportSummary>(
    {
      name: 'import mbox',
      about:
        'Imports the emails in mbox files. Each conversation becomes a ticket. After an interruption, run the command again to continue',
      arguments: ['FILE'],
      isRepeated: true,
      ...importOptions,
      optional: [...importOptions.optional, 'own', 'status'],
      choices,
      notes: { ...mailNotes, ...importNotes },
    },
    async (session, values) => {
      const options = readMailOptions(values)
      const { importMbox } = await mboxes()
      return importWith(session, values, 'mbox', importMbox(values.FILE!.split('\n'), options))
    },
    drawImport,
  ),
  command<ImportSummary>(
    {
      name: 'import maildir',
      about:
        'Imports the emails in a Maildir and its folders, except drafts and deleted emails. Each conversation becomes a ticket. After an interruption, run the command again to continue',
      arguments: ['FOLDER'],
      ...importOptions,
      optional: [...importOptions.optional, 'own', 'status', 'without'],
      choices,
      notes: {
        without: 'names of folders to leave out, separated by commas, such as Trash,Junk',
        ...mailNotes,
        ...importNotes,
      },
    },
    async (session, values) => {
      const options = readMailOptions(values)
      const { importMaildir } = await maildirs()
      const importer = importMaildir(values.FOLDER!, readList(values.without), options)
      return importWith(session, values, 'maildir', importer)
    },
    drawImport,
  ),
  command<ImportSummary>(
    {
      name: 'import zendesk',
      about:
        'Imports the users, tickets, comments and files of a Zendesk account. Run the command again to continue after an interruption, or to import what is new',
      ...importOptions,
      required: [...importOptions.required, 'url', 'email', 'token-file'],
      notes: {
        url: 'the address of the account, such as https://acme.zendesk.com',
        email: "an admin's address in Zendesk",
        'token-file': 'a file with an API token, or - for standard input',
        ...importNotes,
      },
    },
    async (session, values) => {
      const { url = '', email = '' } = values
      const token = (await readSecretFile('token-file', values['token-file']))!
      const { importZendesk } = await zendesks()
      return importWith(session, values, 'zendesk', importZendesk({ url: readZendeskUrl(url), email, token }))
    },
    drawImport,
  ),
  command<ImportSummary>(
    {
      name: 'import archive',
      about:
        'Imports the export of a project, from this server or another one, into a project with the same operators. After an interruption, run the command again to continue',
      arguments: ['FILE'],
      ...importOptions,
      notes: importNotes,
    },
    async (session, values) => {
      const { importArchive } = await archives()
      return importWith(session, values, 'archive', importArchive(values.FILE!))
    },
    drawImport,
  ),
  command(
    {
      name: 'import list',
      about: "Lists a project's imports, with the number of records of each",
      required: ['project'],
    },
    async ({ db }, { project = '' }) => {
      await findProject(db, project)
      const { listImports } = await imports()
      return { items: await listImports(db, project) }
    },
    ({ items }) => drawRecords(items, 'No imports'),
  ),
  command(
    {
      name: 'import remove',
      about:
        'Removes an import: the server deletes its tickets, contacts and files in the background. Tickets with later messages are kept, unless you add --force',
      arguments: ['SOURCE'],
      required: ['project'],
      flags: ['force'],
    },
    ({ db }, { SOURCE, project = '', force }) =>
      asUserErrors(async () => {
        await findProject(db, project)
        const source = await readImportName(SOURCE, '')
        const { findImport, removeImport } = await imports()
        const { repeatWhileBusy } = await repeats()
        await repeatWhileBusy({ signal: new AbortController().signal, tell: output.tell }, () =>
          removeImport(db, project, source, { force: force === 'yes' }),
        )
        const target = { type: 'import', name: source } as const
        await auditCommand(db, project, { action: 'import.removed', target })
        return (await findImport(db, project, source))!
      }),
    ({ source, tickets }) => `The server is removing the import "${source}" with ${tickets} tickets`,
  ),
]
