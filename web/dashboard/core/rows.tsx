import type { ReactNode } from 'react'
import classes from './rows.module.css'

/** A list of records, each with details and actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  )
}

export function Row({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.main}>{children}</div>
      {aside}
    </li>
  )
}

/** Shows raw text. It scrolls, so it must be reachable by keyboard. */
export function Lines({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.code} tabIndex={0} aria-label={label} dir="ltr">
      <code>{children}</code>
    </section>
  )
}
