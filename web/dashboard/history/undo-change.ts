import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { showToast } from '../core/toasts.ts'
import { loadNewer } from '../messages/queries.ts'
import { patchTicket, refreshTickets, repeatTicketRequest } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import { type FieldLabels, nameOfField, wordAuthor } from './change-words.ts'

type Undone = Shape<'UndoResult'>
export type Kept = Undone['kept']

export const listNames = (names: string[]): string =>
  new Intl.ListFormat(document.documentElement.lang).format(names)

const noLabels: FieldLabels = new Map()

function wordReason({ reason, by }: Kept[number], name: string): string {
  if (reason === 'not_found') return text.undo.keptMissing(name)
  return by === null ? text.undo.keptChanged(name) : text.undo.kept(name, wordAuthor({ by }))
}

/** Says for each field why it was not undone. */
export const wordKept = (kept: Kept, labels: FieldLabels = noLabels): string =>
  kept
    .flatMap(one => {
      const name = nameOfField(one.field, labels)
      return name === null ? [] : [wordReason(one, name)]
    })
    .join(' ')

function wordUndone({ undone, kept }: Undone, labels: FieldLabels): string {
  if (kept.some(({ reason }) => reason === 'already_undone')) return text.undo.already
  const why = wordKept(kept, labels)
  const fields = undone.flatMap(field => nameOfField(field, labels) ?? [])
  if (!why) return text.undo.done
  return undone.length === 0 ? text.undo.none(why) : text.undo.partly(listNames(fields), why)
}

/** Long enough to read why something was not undone. */
const resultSeconds = ({ kept }: Undone): number => (kept.length > 0 ? 15 : 5)

/** Undoes a change of a ticket, shows the ticket as it is now, and says what was not undone. */
export async function undoChange(ticket: Ticket, id: string, labels = noLabels): Promise<void> {
  const { workspace_id: project_id, id: ticket_id, short_id } = ticket
  const address = '/projects/{project_id}/tickets/{ticket_id}/undo'
  try {
    const result = await take(
      api.POST(address, { params: { path: { project_id, ticket_id } }, body: { id } }),
    )
    patchTicket(project_id, ticket_id, result.ticket)
    const message = text.undo.of(short_id, wordUndone(result, labels))
    showToast({ id: `undone ${id}`, message, seconds: resultSeconds(result) })
  } catch (thrown) {
    showFailure(asFailure(thrown), text.inbox.number(short_id))
  }
  repeatTicketRequest(project_id, short_id)
  await Promise.all([refreshTickets(project_id, [ticket_id]), loadNewer(project_id, short_id)])
}
