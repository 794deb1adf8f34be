import type { Message } from '../core/records.ts'
import { fill, text } from '../core/text.ts'
import { announce } from '../shell/announce.tsx'
import { Icon } from '../shell/icon.tsx'
import { Popup, usePopup } from './popup.tsx'
import { isMine, react } from './thread.ts'

const usual = ['👍', '❤️', '😄', '🎉', '😢', '🙏']

const toggle = (message: Message, emoji: string): void => {
  react(message, emoji).catch(() => announce(text.peek().failed))
}

const label = (message: Message, emoji: string): string =>
  fill(isMine(message, emoji) ? text.value.takeBack : text.value.reactWith, { emoji })

export function ReactButton({ message }: { message: Message }) {
  const popup = usePopup()
  return (
    <Popup popup={popup} label={text.value.react} sign={<Icon name="smile" />}>
      <div class="emoji is-short">
        {usual.map(emoji => (
          <button
            key={emoji}
            type="button"
            aria-label={label(message, emoji)}
            aria-pressed={isMine(message, emoji)}
            onClick={() => {
              popup.setOpen(false)
              toggle(message, emoji)
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </Popup>
  )
}

function countEach(message: Message): [string, number][] {
  const counts = new Map<string, number>()
  for (const { emoji, count } of message.reactions) counts.set(emoji, (counts.get(emoji) ?? 0) + count)
  return [...counts]
}

export const Reactions = ({ message }: { message: Message }) =>
  message.reactions.length === 0 ? null : (
    <div class="reactions">
      {countEach(message).map(([emoji, count]) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={isMine(message, emoji)}
          aria-label={`${emoji} ${count}. ${label(message, emoji)}`}
          onClick={() => toggle(message, emoji)}
        >
          {emoji} {count > 1 && <span>{count}</span>}
        </button>
      ))}
    </div>
  )
