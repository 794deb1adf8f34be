import { notifications } from '@mantine/notifications'
import type { Failure } from './failure.ts'
import { text } from './text.ts'

/** Shows a short message in a corner, which screen readers announce. */
export function showNotice(message: string): void {
  notifications.show({ message, role: 'status' })
}

/** Shows that the browser, not the server, has rejected something. */
export function showRefusal(message: string): void {
  notifications.show({ message, color: 'red', role: 'alert' })
}

/** `about` names the subject if it is not visible to the reader. */
export function showFailure(failure: Failure, about?: string): void {
  const id = failure.requestId ? `\n${text.failure.request(failure.requestId)}` : ''
  notifications.show({
    message: `${about ? `${about}: ` : ''}${failure.message}${failure.status >= 500 ? id : ''}`,
    color: 'red',
    role: 'alert',
    autoClose: 10_000,
  })
}
