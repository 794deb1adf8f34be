import type { Ticket } from '../core/records.ts'
import { go } from '../core/route.ts'
import { fill, text } from '../core/text.ts'
import { printWhen } from '../core/time.ts'
import { config } from '../session/config.ts'
import { Avatar } from '../shell/avatar.tsx'

function sayLast({ last_message: last, subject }: Ticket): string {
  if (!last) return subject ?? ''
  return last.sender_type === 'contact' ? `${text.value.you}: ${last.preview}` : last.preview
}

export function TicketRow({ ticket }: { ticket: Ticket }) {
  const { last_message: last, operator, unread_count: unread } = ticket
  const name = operator?.name ?? (last?.sender_type === 'operator' ? last.sender_name : null)
  const shown = name ?? config.value?.name ?? text.value.team
  return (
    <li>
      <button
        type="button"
        class={`row ${unread ? 'is-unread' : ''}`}
        onClick={() => go({ name: 'conversation', id: ticket.id })}
      >
        <Avatar name={shown} avatar_url={name ? operator?.avatar_url : config.value?.logo_url} />
        <span class="row-words">
          <span class="row-title" dir="auto">
            {ticket.subject || shown}
          </span>
          <span class="row-last" dir="auto">
            {sayLast(ticket)}
          </span>
        </span>
        <span class="row-end">
          <time dateTime={last?.created_at ?? ticket.created_at}>
            {printWhen(last?.created_at ?? ticket.created_at)}
          </time>
          {unread > 0 && (
            <span class="count">
              <span aria-hidden="true">{unread}</span>
              <span class="unseen">{fill(text.value.unread, { count: unread })}</span>
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
