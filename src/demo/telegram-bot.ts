import { addExampleBot } from '../channels/telegram/bots/example-bot.ts'
import { newId } from '../core/ids.ts'
import { type DemoState, recordMade } from './demo-state.ts'

/** The bot behind the demo's Telegram tickets. */

const groupChat = -1_001_000_000_000

async function addChats({ tx, contacts }: DemoState, botId: string): Promise<void> {
  for (const { id, name, telegram_id } of contacts.values())
    await tx`
      insert into telegram_chats (project_id, id, bot_id, chat_id, title, contact_id)
      select ${tx.projectId}, ${newId()}, ${botId}, ${telegram_id ?? groupChat}, ${name}, ${id}
      where exists (
        select from tickets where project_id = ${tx.projectId} and contact_id = ${id} and channel = 'telegram')`
}

/** Numbers the messages of each chat, and marks replies as sent. */
async function linkMessages({ tx }: DemoState): Promise<void> {
  const id = tx.projectId
  await tx`
    insert into telegram_messages (project_id, chat_id, telegram_id, message_id, part)
    select ${id}, c.id, row_number() over (partition by c.id order by m.created_at, m.id), m.id,
      case when m.sender_type = 'operator' then 0 end
    from telegram_chats c
      join tickets t on t.project_id = ${id} and t.contact_id = c.contact_id and t.channel = 'telegram'
      join messages m on m.project_id = ${id} and m.ticket_id = t.id and not m.is_internal
        and m.sender_type in ('contact', 'operator')
    where c.project_id = ${id}`
  await tx`
    update messages set delivery_status = 'sent', delivery_attempts = 1
    where project_id = ${id} and channel = 'telegram' and delivery_status = 'pending'`
}

export async function createTelegramBot(stage: DemoState): Promise<void> {
  const { tx, vault } = stage
  const bot = { username: 'breeze_bikes_demo_bot', name: 'Breeze Bikes (demo)' }
  const id = await addExampleBot(tx, vault, tx.projectId, bot)
  recordMade(stage, 'telegram_bots', id)
  await addChats(stage, id)
  await linkMessages(stage)
}
