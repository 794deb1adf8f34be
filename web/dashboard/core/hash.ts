import { useEffect, useRef } from 'react'

/** Whether the link that led to this page asks for a part of it, such as `#invite`. */
export const isInHash = (name: string): boolean => location.hash === `#${name}`

/** Gives a field the focus if the link to the page has its name as the hash. */
export function useHashFocus(name: string) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isInHash(name)) field.current?.focus()
  }, [name])
  return field
}
