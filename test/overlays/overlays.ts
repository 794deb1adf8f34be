import { inboxOverlays } from './of-inbox.ts'
import { settingsOverlays } from './of-settings.ts'
import type { Overlay } from './steps.ts'

/** Every dialog, menu and popover of the dashboard. A convention compares the list with the code. */

export const overlays: readonly Overlay[] = [...inboxOverlays, ...settingsOverlays]

/** Overlays that need data of their own, by the journey that checks them. */
export const ofJourneys: Record<string, string> = {
  'contacts/merge-dialog.tsx': 'contact-profile',
  'inbox/email-dialog.tsx': 'email-notices',
  'inbox/refused-list.tsx': 'bulk',
  'knowledge/picture-dialog.tsx': 'article-pictures',
  'mail-log/mail-log-page.tsx': 'mail-log',
  'messages/new-email-dialog.tsx': 'email-recipients',
  'senders/block-dialog.tsx': 'senders',
  'users/passkeys.tsx': 'second-factors',
  'users/sign-in-again.tsx': 'failures',
  'webhooks/delivery-log.tsx': 'settings',
}

/** Files that open an overlay that another file has too. */
export const sameAs: Record<string, string> = {
  'contacts/identity-row.tsx': 'the menu of identity-menu.tsx with one item, for a browser with the chat',
  'core/confirm.tsx': 'what callers ask differs in its words only',
  'core/holding-dialog.tsx': 'a part of dialogs that are listed',
  'core/picker.tsx': 'a part of dialogs that are listed',
  'operators/status-items.tsx': 'a part of the menu in shell/account-dropdown.tsx',
}
