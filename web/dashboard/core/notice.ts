import { notifications } from '@mantine/notifications'
import type { Failure } from './failure.ts'
import { text } from './text.ts'

/** Short words in a corner, read out by screen readers. */
export function showNotice(message: string): void {
  notifications.show({ message, role: 'status' })
}

/** What the browser, and not the server, has refused. */
export function showRefusal(message: string): void {
  notifications.show({ message, color: 'red', role: 'alert' })
}

/** `about` names what it is about, where that is not before the reader's eyes. */
export function showFailure(failure: Failure, about?: string): void {
  const id = failure.requestId ? `\n${text.failure.request(failure.requestId)}` : ''
  notifications.show({
    message: `${about ? `${about}: ` : ''}${failure.message}${failure.status >= 500 ? id : ''}`,
    color: 'red',
    role: 'alert',
    autoClose: 10_000,
  })
}
