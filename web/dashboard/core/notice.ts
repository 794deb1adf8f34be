import type { NotificationData, notifications } from '@mantine/notifications'
import type { Failure } from './failure.ts'
import { createStore } from './store.ts'
import { text } from './text.ts'

type Notices = Pick<typeof notifications, 'show'>

const { promise: ready, resolve: noticesReady } = Promise.withResolvers<Notices>()

/** Called by the component that shows notices, once it is on the page. */
export { noticesReady }

const isWanted = createStore(false)

/** Whether there has been a notice. */
export const useNoticesWanted = isWanted.use

/** Shows a notice in a corner of the page. The first one waits until its component is loaded. */
function openNotice(notice: NotificationData): void {
  isWanted.set(true)
  void ready.then(({ show }) => show(notice))
}

/** Shows a short message in a corner, which screen readers announce. */
export function showNotice(message: string): void {
  openNotice({ message, role: 'status' })
}

/** Shows that the browser, not the server, has rejected something. */
export function showRefusal(message: string): void {
  openNotice({ message, color: 'red', role: 'alert' })
}

/** `about` names the subject if it is not visible to the reader. */
export function showFailure(failure: Failure, about?: string): void {
  const id = failure.requestId ? `\n${text.failure.request(failure.requestId)}` : ''
  openNotice({
    message: `${about ? `${about}: ` : ''}${failure.message}${failure.status >= 500 ? id : ''}`,
    color: 'red',
    role: 'alert',
    autoClose: 10_000,
  })
}
