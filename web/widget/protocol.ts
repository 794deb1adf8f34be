/** What the loader, in the site's page, and the frame, in ours, say to each other over a channel of their own. */

/** Who the site says the visitor is; the server believes a signature or a token. */
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

/** What the button looks like. */
export interface Appearance {
  color?: string
  position?: Side
  launcher_text?: string | null
  /** The name of the button for those who cannot see it. */
  label?: string
}

/** A message that waits to be sent, as it is kept in the page. */
export interface Waiting {
  client_id: string
  /** Of a ticket that is not there yet: `new:` and the client_id of its first message. */
  ticket_id: string
  content: string
  media: { id: string; filename: string; kind: string; url?: string }[]
  reply_to_id?: string
  fields?: Record<string, string>
  created_at: string
}

/** What is being written in this tab, for each conversation, and by whom: of somebody else it is not shown. */
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
  /** The key of a link that leads to one conversation. */
  key: string | null
}

export type ToFrame =
  | Boot
  | { type: 'shown'; is_open: boolean; page_url: string; ticket_id: string | null }
  | { type: 'identify'; identity: Identity }
  | { type: 'logout' }
  /** Another tab has signed in or out. */
  | { type: 'token'; token: string | null }
  /** Another tab has sent it. */
  | { type: 'sent'; client_id: string }

export type ToPage =
  | { type: 'ready'; look: Appearance }
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

/** What the page of the look says, which is loaded while there is no chat. */
export interface Shown {
  type: 'deskbell:look'
  look: Appearance
}

/** The first words across the border, before there is a channel. */
export const hello = 'deskbell:hello'
export const welcome = 'deskbell:welcome'
