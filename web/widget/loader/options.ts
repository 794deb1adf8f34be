import type { Appearance, Identity, Side } from '../protocol.ts'

/** The options of `Deskbell('boot', …)`. */
export interface Options extends Identity {
  /** The address of Deskbell, if the script was not loaded from there. */
  host?: string
  /** The project's id, as the dashboard shows it. */
  project: string
  /** A language tag; by default, the browser's language. */
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
