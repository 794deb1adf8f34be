import { Marked } from '../core/marked.tsx'
import { text } from '../core/text.ts'
import { findOwnOperatorId } from '../projects/project.ts'
import type { Ticket } from '../tickets/queries.ts'
import { cutSnippet } from '../tickets/snippet.ts'
import classes from './row.module.css'
import facts from './row-facts.module.css'

/** Who wrote the last message, unless the contact did. A note is marked as one. */
function authorOf({ workspace_id, last_message, last_message_author: author }: Ticket): string | null {
  if (!last_message || !author) return null
  if (author.is_internal) return text.inbox.noteBy
  if (last_message.sender_type === 'operator')
    return author.id === findOwnOperatorId(workspace_id)
      ? text.inbox.you
      : (author.name?.trim().split(/\s+/)[0] ?? null)
  return last_message.sender_type === 'bot' ? (author.name ?? text.messages.bot) : null
}

/** The unsent draft, or the last message after the name of its author. */
function LastWords({ ticket }: { ticket: Ticket }) {
  const { has_draft, draft_preview, last_message, last_message_author } = ticket
  const author = authorOf(ticket)
  if (has_draft)
    return (
      <>
        <em>{draft_preview ? text.inbox.draftOf : text.inbox.draft}</em> {draft_preview}
      </>
    )
  return (
    <>
      {author && (
        <b className={facts.author} data-note={last_message_author?.is_internal || undefined}>
          <bdi>{text.inbox.by(author)}</bdi>{' '}
        </b>
      )}
      {last_message?.preview}
    </>
  )
}

/** The search hit; otherwise the unsent draft, or the last message. */
export function RowPreview({ ticket }: { ticket: Ticket }) {
  const { highlights = [] } = ticket
  const snippet = cutSnippet(ticket)
  return (
    <span className={classes.preview} dir="auto">
      {snippet ? (
        <>
          {snippet.from > 0 && '… '}
          <Marked places={highlights.filter(({ field }) => field === 'content')} from={snippet.from}>
            {snippet.text}
          </Marked>
        </>
      ) : (
        <LastWords ticket={ticket} />
      )}
    </span>
  )
}
