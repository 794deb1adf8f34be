import type { Fragment } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'
import type { Tx } from '../events/transaction.ts'
import { reindex } from '../words/words.ts'
import { indexedMessages, printMessageIndex } from './indexed.ts'
import type { MessageRow } from './queries.ts'
import { previewInTicket } from './render.ts'

/** Replaces the text of a locked message, and updates the search index and the preview in its ticket. `others` sets more columns. */
export async function updateMessageText(
  tx: Tx,
  row: Pick<MessageRow, 'id' | 'ticket_id' | 'media'>,
  text: Pick<MessageRow, 'content' | 'content_format' | 'content_html'>,
  others: Fragment,
): Promise<void> {
  const [changed] = await tx<{ search_version: number; is_last: boolean }[]>`
    with changed as (
      update messages set content = ${text.content}, content_format = ${text.content_format}, content_html = ${text.content_html},
        search = ${printMessageIndex(text)}::text::tsvector, search_version = ${indexVersion},
        version = version + 1, ${others}
      where project_id = ${tx.projectId} and id = ${row.id} returning ticket_id, id, search_version
    ), last as (
      update ticket_activity a set last_message_preview = ${previewInTicket({ ...row, ...text })}
      from changed where a.project_id = ${tx.projectId} and a.ticket_id = changed.ticket_id
        and a.last_message_id = changed.id returning a.ticket_id
    ) select search_version, exists (select from last) as is_last from changed`
  // If the new text has the same index entry, the trigger mistakes this for an update by an older version, which does not index, and
  // resets the version.
  if (changed!.search_version < indexVersion) await reindex(tx, tx.projectId, indexedMessages, 'id', row.id)
  tx.touch('message', row.id)
  if (changed!.is_last) tx.touch('ticket', row.ticket_id)
}
