import { Alert, Button, Group, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { When } from '../core/when.tsx'
import { browserOf } from '../users/browser.ts'
import { Choose } from './choose.tsx'
import { canPush, listDevices, turnOff, turnOn } from './push.ts'
import { notificationKeys } from './query-keys.ts'

type Device = AnswerOf<'/me/devices', 'get'>['items'][number]

const devicesQuery = { queryKey: notificationKeys.devices(), queryFn: listDevices }
const refresh = [notificationKeys.devices()]

/** The browser itself refuses if it cannot reach its push service, or has none. */
function explain(error: unknown): void {
  if (!(error instanceof DOMException)) throw error
  showNotice(pageText.pushing.refused)
}

/** Notifications that arrive while Deskbell is closed. */
export function PushSection() {
  const { data } = useQuery(devicesQuery)
  const devices = data?.items ?? []
  const own = devices.find(({ is_current }) => is_current)
  return (
    <Section title={pageText.pushing.title} about={pageText.pushing.about}>
      <Stack gap="sm">
        <ThisBrowser own={own} />
        <Choose name="hides_content" description={pageText.pushing.hidesAbout} />
        {devices.map(device => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </Stack>
    </Section>
  )
}

function ThisBrowser({ own }: { own: Device | undefined }) {
  const [permission, setPermission] = useState(() => globalThis.Notification?.permission)
  const change = useChange({
    async send(isOn: boolean) {
      if (!isOn) return own && turnOff(own.id)
      const answer = await Notification.requestPermission()
      setPermission(answer)
      if (answer === 'granted') await turnOn().catch(explain)
    },
    refresh,
  })
  if (!canPush()) return <Alert role="status">{pageText.pushing.unable}</Alert>
  return (
    <>
      <Switch
        label={pageText.pushing.here}
        checked={change.isPending ? change.variables : own !== undefined}
        disabled={change.isPending}
        onChange={event => change.mutate(event.currentTarget.checked)}
      />
      {permission === 'denied' && <Alert role="status">{text.notifications.denied}</Alert>}
    </>
  )
}

function DeviceRow({ device: { id, user_agent, sent_at, is_current } }: { device: Device }) {
  const name = browserOf(user_agent)
  const path = { device_id: id }
  const remove = useChange({
    send: () =>
      is_current ? turnOff(id) : take(api.DELETE('/me/devices/{device_id}', { params: { path } })),
    refresh,
    onDone: () => showNotice(pageText.pushing.removed),
  })
  const test = useChange({
    send: () => take(api.POST('/me/devices/{device_id}/test', { params: { path } })),
    refresh,
    onDone: ({ is_sent }) => showNotice(is_sent ? pageText.pushing.sent : pageText.pushing.notSent),
  })
  return (
    <Group justify="space-between" gap="xs">
      <span>
        {is_current ? pageText.pushing.thisBrowser(name) : name}
        {sent_at && (
          <>
            {' · '}
            {pageText.pushing.lastSent} <When time={sent_at} />
          </>
        )}
      </span>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={pageText.pushing.testOne(name)}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {pageText.pushing.test}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={pageText.pushing.removeOne(name)}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {pageText.pushing.remove}
        </Button>
      </Group>
    </Group>
  )
}
