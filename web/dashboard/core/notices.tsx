import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { useEffect } from 'react'
import { noticesReady } from './notice.ts'

/** The corner of the page that shows notices. It is loaded with the first notice, or when the page is idle. */
export default function Notices() {
  useEffect(() => noticesReady(notifications), [])
  return <Notifications position="bottom-center" />
}
