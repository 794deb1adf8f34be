import {
  ArrowUturnLeftIcon,
  ClipboardDocumentIcon,
  EllipsisVerticalIcon,
  PencilIcon,
} from '@heroicons/react/16/solid'
import { ActionIcon, Group, Menu } from '@mantine/core'
import { copyText } from '../core/copy.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { answerMessage, editMessage } from './editing.ts'
import classes from './message.module.css'
import type { Message } from './queries.ts'
import { react } from './react.ts'

const quick = ['👍', '❤️', '😄', '🎉', '🙏', '👀']

/** What can be done with a message. */
export function MessageMenu({ message }: { message: Message }) {
  const { operatorId, role } = useProject()
  const mayEdit =
    message.sender_type === 'operator' && (message.sender_id === operatorId || mayDo(role, 'admin'))
  return (
    <Menu position="bottom-end" width={210} withinPortal>
      <Menu.Target>
        <ActionIcon className={classes.menu} size="sm" aria-label={text.messages.actions}>
          <EllipsisVerticalIcon width={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Group gap={2} px={6} py={4} role="group" aria-label={text.messages.react}>
          {quick.map(emoji => (
            <Menu.Item
              key={emoji}
              className={classes.quick}
              onClick={() => react(message, operatorId, emoji, true)}
            >
              {emoji}
            </Menu.Item>
          ))}
        </Group>
        <Menu.Item leftSection={<ArrowUturnLeftIcon width={16} />} onClick={() => answerMessage(message)}>
          {text.messages.replyTo}
        </Menu.Item>
        <Menu.Item
          leftSection={<ClipboardDocumentIcon width={16} />}
          onClick={() => copyText(message.content, text.shell.copied)}
        >
          {text.messages.copy}
        </Menu.Item>
        {mayEdit && (
          <Menu.Item leftSection={<PencilIcon width={16} />} onClick={() => editMessage(message)}>
            {text.messages.edit}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
