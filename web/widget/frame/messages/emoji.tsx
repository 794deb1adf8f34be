import { text } from '../core/text.ts'
import { Icon } from '../shell/icon.tsx'
import { Popup, usePopup } from './popup.tsx'

/** The most common emojis. Each operating system has a picker for all others. */
const emoji =
  '😀 😄 😂 🤣 🙂 😉 😊 😍 😘 😎 🤔 😐 😬 🙄 😔 😢 😭 😡 😱 🤯 🥳 🤗 🤝 👍 👎 👌 👏 🙏 💪 👋 ✌️ 🤞 ❤️ 💔 🔥 ⭐ ✨ 🎉 🎁 🌹 ☕ ✅ ❌ ❓ ❗ 💡 ⏰ 📦'.split(
    ' ',
  )

export function EmojiPicker({ choose }: { choose: (emoji: string) => void }) {
  const popup = usePopup()
  return (
    <Popup popup={popup} label={text.value.emoji} sign={<Icon name="smile" />}>
      <div class="emoji">
        {emoji.map(one => (
          <button
            key={one}
            type="button"
            onClick={() => {
              popup.setOpen(false)
              choose(one)
            }}
          >
            {one}
          </button>
        ))}
      </div>
    </Popup>
  )
}
