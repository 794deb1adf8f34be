import {
  ArrowUturnLeftIcon,
  ClipboardDocumentIcon,
  CodeBracketIcon,
  EllipsisVerticalIcon,
  PencilIcon,
  QuestionMarkCircleIcon,
} from '@heroicons/react/16/solid'
import { Group, Menu } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '../core/copy.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { answerMessage, editMessage, openEmailDialog } from './editing.ts'
import classes from './message.module.css'
import { type Message, receivedEmailOf } from './queries.ts'
import { react } from './react.ts'

const quick = ['👍', '❤️', '😄', '🎉', '🙏', '👀']

interface Props {
  message: Message
  /** Whether Tab stops at it. */
  isReached: boolean
}

/** The actions on a message. The menu is created when it is first opened, because there are many messages. */
export function MessageMenu({ message, isReached }: Props) {
  const [isWanted, setWanted] = useState(false)
  const tabIndex = isReached ? 0 : -1
  if (isWanted) return <Opened message={message} tabIndex={tabIndex} />
  return <Opener tabIndex={tabIndex} onClick={() => setWanted(true)} />
}

const Opener = ({ className = '', ...props }: React.ComponentProps<'button'>) => (
  <button
    type="button"
    aria-label={text.messages.actions}
    aria-haspopup="menu"
    data-message-menu
    {...props}
    // Mantine passes a class to the target of a menu.
    className={`${classes.menu} ${className}`}
  >
    <EllipsisVerticalIcon width={16} aria-hidden />
  </button>
)

function Opened({ message, tabIndex }: { message: Message; tabIndex: number }) {
  const { operatorId, role } = useProject()
  const mayEdit =
    message.sender_type === 'operator' && (message.sender_id === operatorId || mayDo(role, 'admin'))
  return (
    <Menu defaultOpened position="bottom-end" width={210}>
      <Menu.Target>
        <Opener tabIndex={tabIndex} />
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
        {receivedEmailOf(message) && (
          <>
            <Menu.Item
              leftSection={<QuestionMarkCircleIcon width={16} />}
              onClick={() => openEmailDialog({ kind: 'why', message })}
            >
              {text.email.why}
            </Menu.Item>
            <Menu.Item
              leftSection={<CodeBracketIcon width={16} />}
              onClick={() => openEmailDialog({ kind: 'source', message })}
            >
              {text.email.source}
            </Menu.Item>
          </>
        )}
        {mayEdit && (
          <Menu.Item leftSection={<PencilIcon width={16} />} onClick={() => editMessage(message)}>
            {text.messages.edit}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
