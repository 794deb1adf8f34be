import { Avatar } from '../core/avatar.tsx'
import { text } from '../core/text.ts'
import { listNames } from './list-names.ts'
import { useViewers } from './use-viewers.ts'
import classes from './viewers.module.css'

/** In a row of the list: the avatars of the others, and who is typing. */
export function RowViewers({ ticketId }: { ticketId: string }) {
  const viewers = useViewers(ticketId)
  if (viewers.length === 0) return null
  const typing = viewers.filter(({ is_typing }) => is_typing)
  const names = listNames(typing.map(({ person }) => person.name))
  return (
    <span className={classes.inRow}>
      <span className={classes.viewers}>
        {viewers.slice(0, 3).map(({ person }) => (
          <Avatar key={person.id} size={18} src={person.avatar_url} name={person.name} />
        ))}
      </span>
      {typing.length === 0 && (
        <span className="hidden">
          {text.inbox.looking(listNames(viewers.map(({ person }) => person.name)))}
        </span>
      )}
      {typing.length === 1 && text.inbox.typing(names)}
      {typing.length > 1 && text.inbox.typingMany(names)}
    </span>
  )
}
