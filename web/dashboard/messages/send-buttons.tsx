import { ChevronDownIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { Keys } from '../core/key-caps.tsx'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { type SendWay, sendWays, useSaveWorkSettings } from '../users/work-settings.ts'
import type { Composing } from './composing.ts'
import { type SendWays, sendKeys } from './send-ways.ts'

const TimeDialog = lazily(() => import('../core/time-dialog.tsx'))

interface Props {
  composing: Composing
  ways: SendWays
}

/** Sends the reply or note, and has a menu of other ways to send a reply. */
export function SendButtons({ composing, ways }: Props) {
  const { isInternal, isSending, send } = composing
  const { asked, setAsked } = ways
  return (
    <Group gap={1} ms="auto" wrap="nowrap">
      <Button size="sm" loading={isSending} onClick={ways.runUsual}>
        {isInternal ? text.composer.sendNote : text.composer.ways[ways.usual]}
      </Button>
      {!isInternal && <WayMenu ways={ways} />}
      <LazyContent>
        {asked && (
          <TimeDialog
            title={asked === 'later' ? text.composer.later : text.composer.snoozeUntil}
            onChoose={time => void send({ way: asked, until: time.toISOString() })}
            onClose={() => setAsked(null)}
          />
        )}
      </LazyContent>
    </Group>
  )
}

function WayMenu({ ways: { run, isRemembered } }: Pick<Props, 'ways'>) {
  const save = useSaveWorkSettings()
  const choose = (way: SendWay) => {
    if (isRemembered) save.mutate({ send_way: way })
    run(way)
  }
  return (
    <Menu position="top-end" width={310}>
      <Menu.Target>
        <ActionIcon size={36} variant="filled" color="accent" aria-label={text.composer.more}>
          <ChevronDownIcon width={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sendWays.map(way => (
          <Menu.Item key={way} rightSection={<WayKeys way={way} />} onClick={() => choose(way)}>
            {text.composer.ways[way]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={isRemembered}
          onChange={isChecked => save.mutate({ send_way: isChecked ? 'send' : null })}
        >
          {text.composer.rememberWay}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function WayKeys({ way }: { way: SendWay }) {
  const keys = way === 'send' ? 'mod+enter' : sendKeys[way]
  return keys && <Keys keys={keys} />
}
