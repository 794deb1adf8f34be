import type { PageRule } from '../../src/core/text/page-match.ts'

/** The messages between the loader in the site's page and our frame, over a private channel. */

/** The site's claim about the visitor; the server verifies the signature or the token. */
export interface Identity {
  user?: {
    id?: string
    email?: string
    name?: string
    phone?: string
    telegram_id?: number
    locale?: string
    [field: string]: unknown
  }
  signature?: string
  token?: string
}

export type Side = 'left' | 'right'

/** The look of the launcher. */
export interface Appearance {
  color?: string
  position?: Side
  launcher_text?: string | null
  /** The accessible name of the launcher. */
  label?: string
}

/** A message that the launcher shows on certain pages. */
export interface Proactive extends PageRule {
  id: string
  after_seconds: number
  repeat_after_days: number
  text: string
  sender: { name: string; avatar_url: string | null }
}

/** What led the visitor to a new conversation. The ticket names it. */
export interface Origin {
  article_id?: string
  proactive_id?: string
}

/** A message that waits to be sent, as stored in the page. */
export interface Waiting extends Origin {
  client_id: string
  /** For a ticket that does not exist yet: `new:` and the client_id of its first message. */
  ticket_id: string
  content: string
  media: { id: string; filename: string; kind: string; url?: string }[]
  reply_to_id?: string
  fields?: Record<string, string>
  created_at: string
}

/**
 * The drafts of this tab for each conversation, and the token of their writer: they are not shown to another
 * visitor.
 */
export interface Drafts {
  token: string | null
  words: Record<string, string>
}

export interface Choices {
  is_muted?: boolean
}

export interface Boot {
  type: 'boot'
  locale: string | null
  theme: 'auto' | 'light' | 'dark'
  identity: Identity | null
  token: string | null
  waiting: Waiting[]
  drafts: Drafts['words']
  choices: Choices
  page_url: string
  is_open: boolean
  /** The key of a link to one conversation. */
  key: string | null
  /** The article of the help centre whose reader still needs help. */
  article_id?: string | null
}

export type ToFrame =
  | Boot
  | { type: 'shown'; is_open: boolean; page_url: string; ticket_id: string | null; proactive_id?: string }
  | { type: 'identify'; identity: Identity }
  | { type: 'logout' }
  | { type: 'token'; token: string | null }
  /** Another tab has sent the message. */
  | { type: 'sent'; client_id: string }

export type ToPage =
  | { type: 'ready'; look: Appearance }
  | { type: 'proactive'; messages: Proactive[] }
  | { type: 'close' }
  | { type: 'token'; token: string | null }
  | { type: 'keep'; waiting: Waiting }
  | { type: 'drop'; client_id: string }
  | { type: 'choices'; choices: Choices }
  | { type: 'drafts'; drafts: Drafts }
  | { type: 'unread'; count: number; label: string }
  | { type: 'message'; message: { ticket_id: string; content: string; sender_name: string | null } }
  | { type: 'identified'; is_verified: boolean }
  | { type: 'failed'; code: string }

/** The message of the page that is loaded for the look while there is no chat. */
export interface Shown {
  type: 'deskbell:look'
  look: Appearance & { proactive?: Proactive[] }
}

/** The first messages, before there is a channel. */
export const hello = 'deskbell:hello'
export const welcome = 'deskbell:welcome'
