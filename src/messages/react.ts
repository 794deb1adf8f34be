import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { now, toDatabase } from '../core/time.ts'
import { type Store, transact } from '../events/transaction.ts'
import { getMessage } from './find.ts'
import type { Message } from './schema.ts'

const emojiOnly = /^\p{RGI_Emoji}$/v

/** As many as anybody needs beside one message. */
const most = 20

/** Integrations react to nothing. */
const kindOf = ({ actor }: Caller) => (actor.type === 'contact' ? 'contact' : 'operator')

/** Spec §6.5: a reaction that is there already is no new event. */
export function addReaction(store: Store, caller: Caller, id: string, emoji: string): Promise<Message> {
  const { project, actor } = caller
  const reactor_kind = kindOf(caller)
  if (!emojiOnly.test(emoji)) throw refuse('emoji', 'no_emoji')
  return transact(store, project.id, async tx => {
    const { id: message_id, reactions } = await getMessage(tx, project.id, id)
    if (reactions.filter(({ reactor_id }) => reactor_id === actor.id).length >= most)
      throw refuse('emoji', 'too_many', { max: most })
    const { count } = await tx`
      insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
      select ${project.id}, id, ${reactor_kind}, ${actor.id}, ${emoji}, ${toDatabase(now())}
      from messages where project_id = ${project.id} and id = ${message_id}
      on conflict do nothing`
    if (count)
      tx.emit({
        type: 'message.reaction.added',
        data: { message_id, reactor_kind, reactor_id: actor.id, emoji },
      })
    return getMessage(tx, project.id, id)
  })
}

/** Spec §6.5: only that a contact takes one away is an event. */
export function removeReaction(store: Store, caller: Caller, id: string, emoji: string): Promise<Message> {
  const { project, actor } = caller
  const reactor_kind = kindOf(caller)
  return transact(store, project.id, async tx => {
    const { id: message_id } = await getMessage(tx, project.id, id)
    const { count } = await tx`
      delete from message_reactions where project_id = ${project.id} and message_id = ${message_id}
        and reactor_kind = ${reactor_kind} and reactor_id = ${actor.id} and emoji = ${emoji}`
    if (count && reactor_kind === 'contact')
      tx.emit({ type: 'message.reaction.removed', data: { message_id, reactor_id: actor.id } })
    return getMessage(tx, project.id, id)
  })
}
