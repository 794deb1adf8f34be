import { pushed } from '../core/texts/en/pushed.ts'

/**
 * Shows notifications that the server pushes, and opens their tickets. It stores nothing and answers no
 * requests of pages.
 */

type TicketKind = keyof typeof pushed.titles

interface TicketContent {
  kind: TicketKind
  id: string
  project_id: string
  number: number
  /** Missing if the person hides names and texts. */
  subject?: string
  author?: string | null
  text?: string | null
}

type Content = TicketContent | { kind: 'test'; id: string }

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void
}

interface OpenPage {
  url: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}

/** The part of a service worker's scope that is used here. */
interface Scope {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<OpenPage[]>
    openWindow(path: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install', act: () => void): void
  addEventListener(
    name: 'push',
    act: (event: LastingEvent & { data: { json(): Content } | null }) => void,
  ): void
  addEventListener(
    name: 'notificationclick',
    act: (event: LastingEvent & { notification: Notification }) => void,
  ): void
}

declare const self: Scope

function bodyOf({ kind, author, text }: TicketContent): string {
  const name = author ?? (kind === 'mentioned' ? pushed.someone : pushed.customer)
  return text === null || text === undefined ? name : pushed.from(name, text || pushed.files)
}

/** Notifications with the same tag replace each other, so that one that is sent twice is shown once. */
async function show(content: Content): Promise<void> {
  const { registration } = self
  if (content.kind === 'test')
    return registration.showNotification(pushed.test, {
      body: pushed.testAbout,
      tag: content.id,
      data: '/account/notifications',
    })
  const { kind, id, project_id, number, subject } = content
  const title = subject === undefined ? pushed.hidden[kind](number) : pushed.titles[kind](subject)
  await registration.showNotification(title, {
    ...(subject !== undefined && { body: bodyOf(content) }),
    tag: id,
    data: `/p/${project_id}/inbox/open/${number}`,
  })
}

/** Prefers a page of the same project. Pages of the help centre and the website chat are other programs. */
async function open(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const own = path.split('/').slice(0, 3).join('/')
  const pathOf = ({ url }: OpenPage) => new URL(url).pathname
  const page =
    pages.find(one => pathOf(one).startsWith(`${own}/`)) ??
    pages.find(one => /^\/($|p\/|account(\/|$))/.test(pathOf(one)))
  if (!page) return void (await self.clients.openWindow(path))
  page.postMessage({ open: path })
  await page.focus()
}

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('push', event => {
  if (event.data) event.waitUntil(show(event.data.json()))
})
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})
