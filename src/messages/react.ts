import { requireQuota } from '../core/async/quota.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { now, toDatabase } from '../core/time.ts'
import { notifyMessageChange } from '../events/notifier.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { changeAndGetMessage, getMessage } from './find.ts'
import { reactInOutlets } from './outlets.ts'
import type { Message } from './schema.ts'

const emojiOnly = /^\p{RGI_Emoji}$/v

/** The maximum number of a person's reactions to a message. */
const maxReactions = 20

async function countReactions(sql: Tx, messageId: string, kind: string, reactorId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from message_reactions
    where project_id = ${sql.projectId} and message_id = ${messageId} and reactor_kind = ${kind}
      and reactor_id = ${reactorId}`
  return row!.count
}

/** Only contacts and operators react; integrations do not. */
const kindOf = ({ actor }: Caller) => (actor.type === 'contact' ? 'contact' : 'operator')

async function raiseVersion(tx: Tx, id: string): Promise<void> {
  await tx`update messages set version = version + 1 where project_id = ${tx.projectId} and id = ${id}`
  tx.touch('message', id)
}

/** A reaction that already exists causes no event: specification §6.5. */
export function addReaction(store: DbOrTx, caller: Caller, id: string, emoji: string): Promise<Message> {
  const { project, actor } = caller
  const reactor_kind = kindOf(caller)
  if (!emojiOnly.test(emoji)) throw refuse('emoji', 'no_emoji')
  return changeAndGetMessage(store, project.id, async tx => {
    const { id: message_id } = await getMessage(tx, project.id, id)
    await requireQuota(
      tx,
      { of: ['reactions', message_id, actor.id], max: maxReactions, field: 'emoji' },
      () => countReactions(tx, message_id, reactor_kind, actor.id),
    )
    const { count } = await tx`
      insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
      select ${project.id}, id, ${reactor_kind}, ${actor.id}, ${emoji}, ${toDatabase(now())}
      from messages where project_id = ${project.id} and id = ${message_id}
      on conflict do nothing`
    if (count === 0) return message_id
    await raiseVersion(tx, message_id)
    tx.emit({
      type: 'message.reaction.added',
      data: { message_id, reactor_kind, reactor_id: actor.id, emoji },
    })
    if (reactor_kind === 'operator') await reactInOutlets(tx, message_id)
    return message_id
  })
}

/** Only removing a contact's reaction causes an event: specification §6.5. */
export function removeReaction(store: DbOrTx, caller: Caller, id: string, emoji: string): Promise<Message> {
  const { project, actor } = caller
  const reactor_kind = kindOf(caller)
  return changeAndGetMessage(store, project.id, async tx => {
    const { id: message_id } = await getMessage(tx, project.id, id)
    const { count } = await tx`
      delete from message_reactions where project_id = ${project.id} and message_id = ${message_id}
        and reactor_kind = ${reactor_kind} and reactor_id = ${actor.id} and emoji = ${emoji}`
    if (count === 0) return message_id
    await raiseVersion(tx, message_id)
    if (reactor_kind === 'contact')
      tx.emit({ type: 'message.reaction.removed', data: { message_id, reactor_id: actor.id } })
    else await reactInOutlets(tx, message_id)
    return message_id
  })
}

/** Replaces the reactions of a contact who writes in a messenger, and those of contacts who were merged into this one. Only reactions of visitors and operators cause events. */
export async function replaceReactions(
  tx: Tx,
  messageId: string,
  contactId: string,
  emojis: string[],
): Promise<void> {
  const shown = emojis.filter(emoji => emojiOnly.test(emoji)).slice(0, maxReactions)
  const deleted = await tx`
    delete from message_reactions where project_id = ${tx.projectId} and message_id = ${messageId}
      and reactor_kind = 'contact' and (reactor_id = ${contactId} and emoji <> all(${shown}::text[]) or reactor_id in (
        select id from contacts where project_id = ${tx.projectId} and merged_into_id = ${contactId}))`
  const inserted = await tx`
    insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
    select ${tx.projectId}, ${messageId}, 'contact', ${contactId}, emoji, ${toDatabase(now())}
    from unnest(${shown}::text[]) as given (emoji) on conflict do nothing`
  if (deleted.count + inserted.count === 0) return
  await raiseVersion(tx, messageId)
  tx.afterCommit(() => notifyMessageChange(tx.projectId, messageId))
}
