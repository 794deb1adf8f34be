import { text } from './text.ts'

/** The bell of the logo. The name beside it is text, so that it has the page's colours. */
export function Bell({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M16 6.5a1.6 1.6 0 0 1 1.6 1.6v.5a6.8 6.8 0 0 1 5.2 6.6v3.1l1.5 2.2a1 1 0 0 1-.8 1.6H8.5a1 1 0 0 1-.8-1.6l1.5-2.2v-3.1a6.8 6.8 0 0 1 5.2-6.6v-.5A1.6 1.6 0 0 1 16 6.5Zm-3 17h6a3 3 0 0 1-6 0Z"
        fill="#fff"
      />
    </svg>
  )
}

export function Wordmark() {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 10 }}>
      <Bell />
      <span style={{ fontSize: '1.125rem', fontWeight: 650, letterSpacing: '-0.015em' }}>
        {text.shell.product}
      </span>
    </span>
  )
}
