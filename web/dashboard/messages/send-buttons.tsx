import { ChevronDownIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useState } from 'react'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import type { Composing } from './composing.ts'

const SendLater = lazily(() => import('./send-later.tsx'))

/** Sends the reply or note, and has a menu of other ways to send a reply. */
export function SendButtons({ composing }: { composing: Composing }) {
  const { isInternal, isSending, send } = composing
  const [isLater, setLater] = useState(false)
  return (
    <Group gap={1} ms="auto" wrap="nowrap">
      <Button size="sm" loading={isSending} onClick={() => send()}>
        {isInternal ? text.composer.sendNote : text.composer.send}
      </Button>
      {!isInternal && (
        <Menu position="top-end">
          <Menu.Target>
            <ActionIcon size={36} variant="filled" color="accent" aria-label={text.composer.more}>
              <ChevronDownIcon width={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => send({ afterReply: 'close' })}>{text.composer.sendClose}</Menu.Item>
            <Menu.Item onClick={() => send({ afterReply: 'leave' })}>{text.composer.sendLeave}</Menu.Item>
            <Menu.Item onClick={() => setLater(true)}>{text.composer.sendLater}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <LazyContent>
        <SendLater isOpen={isLater} onClose={() => setLater(false)} onChoose={sendAt => send({ sendAt })} />
      </LazyContent>
    </Group>
  )
}
