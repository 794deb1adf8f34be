import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A small popup beside its button, for pointer and keyboard. */
export function usePopup() {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  return { isOpen, setOpen, place }
}

interface Props {
  popup: ReturnType<typeof usePopup>
  label: string
  sign: ComponentChildren
  children: ComponentChildren
  isDisabled?: boolean
}

/** Moves the popup so that nothing is cut off: sideways, and below its button if there is no space above. */
function keepInside(content: HTMLElement): void {
  const around = (content.closest('.log') ?? document.documentElement).getBoundingClientRect()
  if (content.getBoundingClientRect().top < around.top) content.classList.add('is-below')
  const { left, right } = content.getBoundingClientRect()
  const shift = Math.max(0, around.left + 4 - left) + Math.min(0, around.right - 4 - right)
  content.style.translate = `${shift}px`
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }

/** Arrow keys move through the items; Escape closes only the popup and returns to its button. */
function walk(event: KeyboardEvent, close: () => void): void {
  if (event.key === 'Escape') {
    event.stopPropagation()
    close()
  }
  const columns = Number((event.currentTarget as HTMLElement).dataset.columns ?? 1)
  const sideways = document.documentElement.dir === 'rtl' && event.key.endsWith('t') ? -1 : 1
  const step = (steps[event.key] ?? 0) * (/Up|Down/.test(event.key) ? columns : sideways)
  if (!step) return
  event.preventDefault()
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}

export function Popup({ popup, label, sign, children, isDisabled }: Props) {
  const { isOpen, setOpen, place } = popup
  const content = useRef<HTMLDivElement>(null)
  // A layout effect, because keys pressed before the next paint are meant for the popup.
  useLayoutEffect(() => {
    if (!isOpen) return
    keepInside(content.current!)
    content.current!.querySelector('button')?.focus()
  }, [isOpen])
  const close = () => {
    setOpen(false)
    place.current?.querySelector('button')?.focus()
  }
  return (
    <span class="popup" ref={place}>
      <button
        type="button"
        class="tap"
        title={label}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabled={isDisabled}
        onClick={() => setOpen(!isOpen)}
      >
        {sign}
      </button>
      {isOpen && (
        <div
          class="popup-content"
          role="dialog"
          aria-label={label}
          data-columns={8}
          ref={content}
          onKeyDown={event => walk(event, close)}
        >
          {children}
        </div>
      )}
    </span>
  )
}
