import { openStore } from '../../loader/store.ts'
import { type Boot, hello, type ToFrame, type ToPage, welcome } from '../../protocol.ts'
import { projectId } from './api.ts'

/**
 * The connection to the loader in the site's page, or to this page's own storage if the chat is a hosted
 * page.
 */
export interface Bridge {
  isPage: boolean
  boot: Boot
  tell(message: ToPage): void
  /** Receives the messages after the boot. */
  hear(listener: (message: ToFrame) => void): void
}

const isOwnPage = window.parent === window

/** Queues messages until there is a listener. */
function keepEarly() {
  const early: ToFrame[] = []
  let listener: (message: ToFrame) => unknown = message => early.push(message)
  const say = (message: ToFrame): void => void listener(message)
  const hear: Bridge['hear'] = given => {
    listener = given
    for (const message of early.splice(0)) given(message)
  }
  return { say, hear }
}

/** The server lets only pages of allowed sites embed this document. */
function meetLoader(): Promise<Bridge> {
  return new Promise(resolve => {
    const meet = ({ source, data, ports }: MessageEvent) => {
      const port = ports[0]
      if (source !== window.parent || data !== welcome || !port) return
      window.removeEventListener('message', meet)
      const { say, hear } = keepEarly()
      port.onmessage = ({ data: boot }: MessageEvent<Boot>) => {
        port.onmessage = ({ data }: MessageEvent<ToFrame>) => say(data)
        resolve({ isPage: false, boot, tell: words => port.postMessage(words), hear })
      }
    }
    window.addEventListener('message', meet)
    window.parent.postMessage(hello, '*')
  })
}

const takeKey = (): string | null => {
  const key = /[#&]open=([^&]+)/.exec(location.hash)?.[1] ?? null
  if (key) history.replaceState(null, '', location.pathname + location.search)
  return key
}

/** Used once, because after a reload the visitor may want something else. */
function takeArticle(): string | null {
  const address = new URL(location.href)
  const id = address.searchParams.get('article')
  address.searchParams.delete('article')
  if (id) history.replaceState(null, '', address)
  return id
}

function beOwnPage(): Bridge {
  const store = openStore(projectId)
  const { token = null, choices = {} } = store.read()
  const given = new URLSearchParams(location.search)
  const boot: Boot = {
    type: 'boot',
    locale: given.get('locale'),
    theme: 'auto',
    identity: null,
    token,
    waiting: store.listWaiting(),
    drafts: store.readDrafts(),
    choices,
    page_url: document.referrer || location.href,
    is_open: true,
    key: takeKey(),
    article_id: takeArticle(),
  }
  const tell = (message: ToPage) => {
    if (message.type === 'unread') document.title = (message.count ? `(${message.count}) ` : '') + title
    else store.hear(message)
  }
  const { say, hear } = keepEarly()
  store.watch({
    token: token => say({ type: 'token', token }),
    sent: client_id => say({ type: 'sent', client_id }),
  })
  return { isPage: true, boot, tell, hear }
}

let title = document.title

export function nameDocument(name: string): void {
  title = name
  document.title = name
}

export const buildBridge = (): Promise<Bridge> => (isOwnPage ? Promise.resolve(beOwnPage()) : meetLoader())

let bridge: Bridge | null = null

export async function openBridge(): Promise<Bridge> {
  bridge = await buildBridge()
  return bridge
}

/** Sends a message to the page, whichever it is. */
export const tell = (message: ToPage): void => bridge?.tell(message)
export const isPage = isOwnPage
