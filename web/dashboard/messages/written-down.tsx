import { PencilSquareIcon } from '@heroicons/react/16/solid'
import { text } from '../core/text.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'

/** The operator who entered what the contact said; null if the contact wrote it. */
function writerOf({ sender_type, system }: Message): string | null {
  if (sender_type !== 'contact' || system?.kind !== 'written_down') return null
  const { data } = system
  const name =
    typeof data === 'object' && data !== null && 'operator_name' in data ? data.operator_name : null
  return typeof name === 'string' ? name : ''
}

/** Says that an operator entered the message for the contact, for example after a call. */
export function WrittenDown({ message }: { message: Message }) {
  const writer = writerOf(message)
  if (writer === null) return null
  return (
    <p className={classes.label}>
      <PencilSquareIcon width={12} aria-hidden /> <span dir="auto">{text.creating.writtenDown(writer)}</span>
    </p>
  )
}
