import { findMailDetails } from '../../channels/email/incoming/mail-queries.ts'
import { mailOutcomes, mailStates } from '../../channels/email/incoming/outcomes.ts'
import { reparseMail } from '../../channels/email/log/decide-mail.ts'
import { getLoggedMail, pageMailLog } from '../../channels/email/log/mail-log.ts'
import { isId } from '../../core/ids.ts'
import { UserError } from '../../core/user-error.ts'
import { getMessage } from '../../messages/messages.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import { UsageError, type Values } from '../parse.ts'
import type { CliSession } from '../session.ts'
import { drawRecords, drawTable } from '../table.ts'
import { readNumber } from './option-values.ts'
import { drawReparse, reparseSince } from './reparse.ts'
import { asUserErrors } from './user-errors.ts'

/** Reads an option that has one of these values; undefined if it is omitted. */
function readChoices<T extends string>(option: string, values: readonly T[], word: string | undefined) {
  if (word === undefined) return {}
  const value = values.find(one => one === word)
  if (!value) throw new UsageError(`--${option} must be one of ${values.join(', ')}, not "${word}"`)
  return { [option]: [value] }
}

const maxLimit = 100

function readLimit(word: string | undefined): number {
  const limit = readNumber('limit', word) ?? 20
  if (limit < 1 || limit > maxLimit) throw new UsageError(`--limit must be a number from 1 to ${maxLimit}`)
  return limit
}

async function findProjectOf({ db }: CliSession, id: string): Promise<string> {
  const [row] = isId(id)
    ? await db<{ project_id: string }[]>`
        select i.project_id from projects p join incoming_mails i on i.project_id = p.id where i.id = ${id}`
    : []
  if (!row)
    throw new UserError(`Email ${id} not found; list emails with bin/deskbell mail list --project PROJECT`)
  return row.project_id
}

/** An entry of the mail log, with the headers and the text of its message. */
async function showMail(session: CliSession, id: string) {
  const projectId = await findProjectOf(session, id)
  const mail = await getLoggedMail(session.db, projectId, id)
  if (!mail.message_id) return { ...mail, headers: [], text: null }
  const details = await findMailDetails(session.db, projectId, mail.message_id)
  const { content } = await getMessage(session.db, projectId, mail.message_id)
  return { ...mail, headers: details?.headers ?? [], text: content }
}

const drawMail = (mail: Awaited<ReturnType<typeof showMail>>): string =>
  [
    drawTable(
      (['id', 'received_at', 'sender', 'subject', 'state', 'outcome', 'reason', 'last_error'] as const).map(
        name => [name, mail[name] ?? '-'],
      ),
    ),
    mail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    mail.text ?? '',
  ]
    .filter(Boolean)
    .join('\n\n')

const sayReparsed = ({ id }: { id: string }): string =>
  `Email ${id} will be handled again. See the outcome with bin/deskbell mail show ${id}`

async function reparse(session: CliSession, values: Values) {
  const { ID: id, since } = values
  if (id && since) throw new UsageError('mail reparse takes an ID or --since, not both')
  if (since) return reparseSince(session, values)
  if (!id)
    throw new UsageError('mail reparse needs the ID of an email or --since; see deskbell mail reparse --help')
  const unused = ['project', 'mailbox', 'apply'].find(option => values[option] !== undefined)
  if (unused) throw new UsageError(`--${unused} needs --since; omit it to read one email again`)
  const caller = { project: { id: await findProjectOf(session, id) }, actor: { type: 'cli' as const } }
  return asUserErrors(() => reparseMail(session.db, caller, id))
}

export const mailCommands: Command[] = [
  command(
    {
      name: 'mail list',
      about: "Lists a project's received emails and what became of them, newest first",
      required: ['project'],
      optional: ['state', 'outcome', 'limit'],
      choices: { state: mailStates },
      notes: { outcome: 'docs/api.md lists the outcomes', limit: `at most ${maxLimit}, by default 20` },
    },
    async ({ db }, { project = '', state, outcome, limit }) => {
      const query = {
        ...readChoices('state', mailStates, state),
        ...readChoices('outcome', mailOutcomes, outcome),
        page_size: readLimit(limit),
        count: false,
      }
      await findProject(db, project)
      return { items: (await pageMailLog(db, project, query)).items }
    },
    ({ items }) =>
      drawRecords(
        items.map(({ id, received_at, sender, subject, state, outcome }) => ({
          id,
          received_at,
          sender,
          subject,
          state,
          outcome,
        })),
        'No emails',
      ),
  ),
  command(
    {
      name: 'mail show',
      about: 'Shows what became of a received email and why, with the headers and the text of its message',
      arguments: ['ID'],
    },
    (session, { ID: id = '' }) => showMail(session, id),
    drawMail,
  ),
  command(
    {
      name: 'mail reparse',
      about:
        'Reads received emails again with this version of Deskbell. With an ID, the server handles that email again; if it is a message, its text and files are replaced. With --since, shows how messages would change',
      optionalArguments: ['ID'],
      optional: ['since', 'project', 'mailbox'],
      flags: ['apply'],
      notes: {
        since: 'only emails that were stored since then: a date such as 2026-01-31, or days such as 7d',
        project: 'only emails of this project',
        mailbox: 'only emails that this mailbox received',
        apply: 'stores the changes; without it, nothing is stored',
      },
    },
    reparse,
    result => ('read' in result ? drawReparse(result) : sayReparsed(result)),
  ),
]
