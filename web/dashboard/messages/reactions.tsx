import { UnstyledButton } from '@mantine/core'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import type { Message } from './queries.ts'
import { react } from './react.ts'
import classes from './reactions.module.css'

/** The reactions to a message; a click adds or removes one's own. */
export function Reactions({ message }: { message: Message }) {
  const { operatorId } = useProject()
  if (message.reactions.length === 0) return null
  const groups = Map.groupBy(message.reactions, ({ emoji }) => emoji)
  return (
    <ul className={classes.reactions}>
      {[...groups].map(([emoji, all]) => {
        const isOwn = all.some(({ reactor_id }) => reactor_id === operatorId)
        const isByContact = all.some(({ reactor_kind }) => reactor_kind === 'contact')
        const label = text.messages.reacted(emoji, all.length)
        return (
          <li key={emoji}>
            <UnstyledButton
              className={classes.reaction}
              aria-pressed={isOwn}
              aria-label={isByContact ? `${label}, ${text.messages.reactedByContact}` : label}
              title={isByContact ? text.messages.reactedByContact : undefined}
              onClick={() => react(message, operatorId, emoji, !isOwn)}
            >
              {emoji} {all.length}
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
