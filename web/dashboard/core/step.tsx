import { type ReactNode, useEffect, useRef } from 'react'

/** Takes focus when it replaces another step. Otherwise, keyboard users would start again at the top of the page. */
export function Step({ number, name, children }: { number: number; name: string; children: ReactNode }) {
  const place = useRef<HTMLElement>(null)
  const shown = useRef(number)
  useEffect(() => {
    if (shown.current !== number) place.current?.focus()
    shown.current = number
  }, [number])
  return (
    <section ref={place} aria-label={name} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </section>
  )
}
