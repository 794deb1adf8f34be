import type { Appearance, Identity, Side } from '../protocol.ts'

/** What `Deskbell('boot', …)` takes. */
export interface Options extends Identity {
  /** The address of Deskbell, where the script came another way than from there. */
  host?: string
  /** The project's id, as the dashboard shows it. */
  project: string
  /** A language tag; the browser's language when there is none. */
  locale?: string
  position?: Side
  color?: string
  launcher_text?: string
  theme?: 'auto' | 'light' | 'dark'
}

export const isKnown = ({ user, token }: Identity): boolean => Boolean(token || user)
export const pickIdentity = ({ user, signature, token }: Identity): Identity => ({ user, signature, token })

export const pickLook = ({ color, position, launcher_text }: Options): Appearance =>
  Object.fromEntries(Object.entries({ color, position, launcher_text }).filter(([, value]) => value))
