export interface User {
  /** Your own id for this person. */
  id?: string
  email?: string
  name?: string
  phone?: string
}

/** Identifies the visitor by a `token`, or by `user` and `signature`. Your server creates both. */
export interface Identity {
  /** Recommended: a JWT signed with the widget's secret (HS256), valid for a day at most. It proves all its claims. */
  token?: string
  user?: User
  /**
   * The HMAC-SHA256, with the widget's secret and in hex digits, of `id:` followed by `user.id`, or if there is no id, of
   * `email:` followed by `user.email`.
   */
  signature?: string
}

export interface Options extends Identity {
  /** The project's id, which the dashboard shows. */
  project: string
  /** A language tag such as `pt-BR`; by default, the browser's language. */
  locale?: string
  position?: 'left' | 'right'
  /** `#rrggbb` */
  color?: string
  /** The text beside the button. */
  launcher_text?: string
  theme?: 'auto' | 'light' | 'dark'
}

export interface Events {
  ready: undefined
  open: undefined
  close: undefined
  unread: { count: number }
  message: { ticket_id: string; content: string; sender_name: string | null }
  identified: { is_verified: boolean }
  error: { code: string }
}

export interface Deskbell {
  (verb: 'boot', options: Options): void
  (verb: 'identify', identity: Identity): void
  (verb: 'logout' | 'close' | 'toggle' | 'destroy'): void
  (verb: 'open', ticketId?: string): void
  <Name extends keyof Events>(verb: 'on', name: Name, listener: (detail: Events[Name]) => void): void
  <Name extends keyof Events>(verb: 'off', name: Name, listener?: (detail: Events[Name]) => void): void
}

declare global {
  interface Window {
    Deskbell?: Deskbell
  }
}

export const deskbell: Deskbell
/** `host` is the address of your Deskbell, such as `https://desk.example.com`. */
export function boot(options: Options & { host: string }): void
export function identify(identity: Identity): void
export function logout(): void
export function open(ticketId?: string): void
export function close(): void
export function toggle(): void
export function destroy(): void
export function on<Name extends keyof Events>(
  name: Name,
  listener: (detail: Events[Name]) => void,
): () => void
