import { CheckBadgeIcon } from '@heroicons/react/16/solid'
import { Text } from '@mantine/core'
import { text } from '../core/text.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'

/** Whether the writer in the chat is verified to be the contact. */
export function IdentityMark({ identity }: { identity: Message['contact_identity'] }) {
  if (identity === null) return null
  const label = text.messages.identities[identity]
  return identity === 'proved' ? (
    <span role="img" aria-label={label} title={label} className={classes.proved}>
      <CheckBadgeIcon width={14} aria-hidden />
    </span>
  ) : (
    <Text span size="xs" c="dimmed" title={text.messages.identityAbouts[identity]}>
      {label}
    </Text>
  )
}
