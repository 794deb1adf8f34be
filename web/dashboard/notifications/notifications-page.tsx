import { Alert, Button, Group, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { Page, Section } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { useChoice, useChoose } from './choice.ts'
import { Choose } from './choose.tsx'
import { DigestSection } from './digest-section.tsx'
import { PushSection } from './push-section.tsx'
import { playSound } from './sound.ts'

export default function NotificationsPage() {
  return (
    <Page title={text.notifications.title} about={text.notifications.about}>
      <Section title={text.notifications.of}>
        <Stack gap="sm">
          <Choose name="mine" />
          <Choose name="unassigned" />
          <Choose name="mentions" />
        </Stack>
      </Section>
      <Section title={text.notifications.by}>
        <Stack gap="sm">
          <Show />
          <Group gap="md">
            <Choose name="sounds" />
            <Button size="compact-sm" variant="default" onClick={playSound}>
              {text.notifications.listen}
            </Button>
          </Group>
        </Stack>
      </Section>
      <PushSection />
      <Section title={text.notifications.byEmail} about={text.notifications.aboutEmails}>
        <Stack gap="sm">
          <Choose name="assigned_by_email" />
          <Choose name="mentioned_by_email" />
          <Choose name="waiting_by_email" />
        </Stack>
      </Section>
      <DigestSection />
    </Page>
  )
}

/** The browser's permission is requested only when this is turned on. */
function Show() {
  const { shows } = useChoice()
  const choose = useChoose()
  const [permission, setPermission] = useState(() => globalThis.Notification?.permission)
  const change = async (isOn: boolean) => {
    if (isOn && permission === 'default') setPermission(await Notification.requestPermission())
    choose.mutate({ shows: isOn })
  }
  return (
    <>
      <Switch
        label={text.notifications.choices.shows}
        checked={shows && permission !== undefined}
        disabled={permission === undefined}
        onChange={event => void change(event.currentTarget.checked)}
      />
      {shows && permission === 'default' && (
        <Button size="compact-sm" variant="default" onClick={() => void change(true)}>
          {text.notifications.allow}
        </Button>
      )}
      {shows && permission === 'denied' && <Alert role="status">{text.notifications.denied}</Alert>}
      {permission === undefined && <Alert role="status">{text.notifications.unable}</Alert>}
    </>
  )
}
