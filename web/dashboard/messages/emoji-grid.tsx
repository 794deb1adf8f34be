import { UnstyledButton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { text } from '../core/text.ts'
import classes from './composer.module.css'

/** The few emojis that replies to customers need. The operating system's picker has all of them. */
const emojis = [
  ...['😀', '😄', '😊', '🙂', '😉', '😍', '🤗', '🤔'],
  ...['😅', '😂', '😌', '😎', '😕', '😟', '😢', '😮'],
  ...['👍', '👎', '👏', '🙌', '🙏', '🤝', '💪', '👋'],
  ...['❤️', '💙', '💚', '💛', '🎉', '🎁', '⭐', '🔥'],
  ...['✅', '❌', '⚠️', '❓', '❗', '💡', '🔒', '🔑'],
  ...['📎', '📷', '📄', '📦', '🚚', '💳', '📅', '⏰'],
]

const perRow = 8

export function EmojiGrid({ onChoose }: { onChoose(emoji: string): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend
    <div className={classes.emojis} role="group" aria-label={text.composer.emoji} onKeyDown={move}>
      {emojis.map((emoji, at) => (
        <UnstyledButton
          key={emoji}
          className={classes.emoji}
          tabIndex={at === 0 ? 0 : -1}
          onClick={() => onChoose(emoji)}
        >
          {emoji}
        </UnstyledButton>
      ))}
    </div>
  )
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow }

function move(event: KeyboardEvent<HTMLDivElement>): void {
  const all = [...event.currentTarget.querySelectorAll('button')]
  const step = steps[event.key]
  if (!step) return
  const sign = document.dir === 'rtl' && Math.abs(step) === 1 ? -1 : 1
  all[all.indexOf(document.activeElement as HTMLButtonElement) + step * sign]?.focus()
  event.preventDefault()
}
