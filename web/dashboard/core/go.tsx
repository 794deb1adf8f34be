import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  to: string
  /** Replaces the navigation. */
  onGo?(): void
}

/**
 * A link within the dashboard that does not depend on the current page, so that a hundred links do not render
 * again on navigation.
 */
export function Go({ to, onGo, ...props }: Props) {
  const router = useRouter()
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (onGo) onGo()
    else void router.navigate({ to })
  }
  return <a {...props} href={to} onClick={go} />
}
