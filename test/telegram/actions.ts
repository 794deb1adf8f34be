import type { ReactionTypeEmoji } from '@grammyjs/types'
import { makePerson, Participant } from './people.ts'
import type { Bot, World } from './world.ts'

/** The actions that the stand-in's page offers. */

export interface Action {
  bot: string
  person: number
  act: 'say' | 'start' | 'file' | 'edit' | 'react' | 'press' | 'phone' | 'location' | 'block' | 'unblock'
  text?: string
  message?: number
  file?: { name: string; type: string; base64: string }
}

const people = [
  makePerson({ first_name: 'Ann', last_name: 'Lee', username: 'annlee', language_code: 'en' }),
  makePerson({ first_name: 'Ben', last_name: 'Bauer', language_code: 'de' }),
  makePerson({ first_name: 'Zoé', last_name: 'Martin', username: 'zoe', language_code: 'fr' }),
]

const findBot = (world: World, token: string | null): Bot | undefined =>
  world.bots.get(token ?? '') ?? world.bots.values().next().value

function findParticipant(world: World, token: string | null, person: number): Participant {
  const bot = findBot(world, token)
  const someone = people[person] ?? people[0]
  if (!bot || !someone) throw new Error('The bot does not exist')
  return new Participant(world, bot, someone)
}

export function showChat(world: World, query: URLSearchParams) {
  const { bot, state } = findParticipant(world, query.get('bot'), Number(query.get('person')))
  return {
    bots: [...world.bots.values()].map(({ token, user, webhook, commands }) => ({
      ...{ token, name: user.first_name, username: user.username, commands },
      receives: webhook ? `webhook ${webhook.url}` : 'getUpdates',
    })),
    bot: bot.token,
    people: people.map(({ first_name, language_code }) => `${first_name} (${language_code})`),
    is_blocked: state.refusal !== null,
    messages: [...state.messages.values()].map(message => ({
      ...message,
      is_ours: message.from?.id === bot.user.id,
      bot_reactions: state.botReactions.get(message.message_id) ?? [],
    })),
    calls: bot.calls.slice(-8).map(({ method, code }) => (code ? `${method}: ${code}` : method)),
  }
}

async function sendFile(one: Participant, { file, text = '' }: Action): Promise<void> {
  if (!file) return
  const upload = { name: file.name, type: file.type, content: Buffer.from(file.base64, 'base64') }
  const caption = text ? { caption: text } : {}
  await one.file(file.type.startsWith('image/') ? 'photo' : 'document', upload, caption)
}

const isReaction = (text: string): text is ReactionTypeEmoji['emoji'] => text.length > 0

export async function act(world: World, action: Action): Promise<void> {
  const one = findParticipant(world, action.bot, action.person)
  const { text = '', message = 0 } = action
  const { id: user_id, first_name } = one.person
  const acts: Record<Action['act'], () => unknown> = {
    say: () => one.say(text, message || undefined),
    start: () => one.start(text),
    file: () => sendFile(one, action),
    edit: () => one.edit(message, { text }),
    react: () => one.react(message, isReaction(text) ? [text] : []),
    press: () => one.press(message, text),
    phone: () => one.post({ contact: { phone_number: '+4930901820', first_name, user_id } }),
    location: () => one.post({ location: { latitude: 52.52, longitude: 13.405 } }),
    block: () => one.block(),
    unblock: () => one.unblock(),
  }
  await acts[action.act]()
}
