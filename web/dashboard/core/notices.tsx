import { Notifications } from '@mantine/notifications'

/** Shows what `tell` says. */
export default function Notices() {
  return <Notifications position="bottom-left" />
}
