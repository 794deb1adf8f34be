import type { Boot } from '../protocol.ts'
import type { Options } from './options.ts'
import type { Store } from './store.ts'

interface Now extends Pick<Boot, 'key' | 'identity' | 'is_open'> {
  /** The token of the visitor whom the page has logged out before the frame was loaded. */
  leaving: string | null
}

/** The boot message for the frame. */
export function makeBoot(
  { locale, theme = 'auto' }: Options,
  store: Store,
  { key, leaving, identity, is_open }: Now,
): Boot {
  const { token = null, choices = {} } = store.read()
  return {
    ...{ type: 'boot', locale: locale ?? null, theme, choices, key, is_open, token: leaving ?? token },
    // An identity given after a logout is sent in a separate message, so that it inherits nothing from the
    // previous visitor.
    identity: leaving ? null : identity,
    waiting: store.listWaiting(),
    drafts: store.readDrafts(),
    page_url: location.href,
  }
}
