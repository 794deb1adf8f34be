import {
  BookmarkSquareIcon,
  ChevronDownIcon,
  EyeIcon,
  FaceSmileIcon,
  PaperClipIcon,
} from '@heroicons/react/20/solid'
import { ActionIcon, Button, FileButton, Group, Menu, Popover } from '@mantine/core'
import { type ReactNode, type RefObject, Suspense, useState } from 'react'
import { useAction } from '../core/actions.ts'
import type { Icon } from '../core/icon.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { attach } from './attach.ts'
import classes from './composer.module.css'
import type { Composing } from './composing.ts'
import type { DraftPlace, MessageDraft } from './draft.ts'
import type { EditorHandle } from './editor.tsx'
import { EmojiGrid } from './emoji-grid.tsx'
import { FormatButtons } from './format-buttons.tsx'

const CannedPicker = lazily(() => import('./canned-picker.tsx'))
const SendLater = lazily(() => import('./send-later.tsx'))
const Preview = lazily(() => import('./preview.tsx'))

interface Props {
  place: DraftPlace
  draft: MessageDraft
  editor: RefObject<EditorHandle | null>
  /** The buttons to send. */
  children: ReactNode
}

/** The toolbar below the text, and the buttons to send. */
export function ComposerFoot({ place, draft, editor, children }: Props) {
  const [isPreviewed, setPreviewed] = useState(false)
  return (
    <>
      {isPreviewed && (
        <Suspense>
          <Preview content={draft.content} />
        </Suspense>
      )}
      <Group className={classes.foot} gap={2}>
        <AttachButton place={place} />
        <EmojiButton onChoose={emoji => editor.current?.insert(emoji)} />
        <CannedButton place={place} editor={editor} />
        <FormatButtons editor={editor} />
        <Tool
          icon={EyeIcon}
          name={text.composer.preview}
          aria-pressed={isPreviewed}
          onClick={() => setPreviewed(!isPreviewed)}
        />
        {children}
      </Group>
    </>
  )
}

interface ToolProps extends React.ComponentProps<'button'> {
  icon: Icon
  name: string
}

export const Tool = ({ icon: Sign, name, ...props }: ToolProps) => (
  <ActionIcon aria-label={name} title={name} size="md" {...(props as object)}>
    <Sign width={18} aria-hidden />
  </ActionIcon>
)

const AttachButton = ({ place }: { place: DraftPlace }) => (
  <FileButton multiple onChange={files => attach(place, files)}>
    {props => <Tool icon={PaperClipIcon} name={text.composer.attach} {...props} />}
  </FileButton>
)

function EmojiButton({ onChoose }: { onChoose(emoji: string): void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-start" trapFocus shadow="md">
      <Popover.Target>
        <Tool
          icon={FaceSmileIcon}
          name={text.composer.emoji}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <EmojiGrid
          onChoose={emoji => {
            setOpen(false)
            onChoose(emoji)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function CannedButton({ place, editor }: Pick<Props, 'place' | 'editor'>) {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useAction({ id: 'canned', name: text.composer.canned, group: text.actions.group, keys: 'i', run: open })
  return (
    <>
      <Tool icon={BookmarkSquareIcon} name={text.composer.canned} onClick={open} />
      <Suspense>
        {isOpen && (
          <CannedPicker
            place={place}
            onInsert={content => editor.current?.insert(content)}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

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
