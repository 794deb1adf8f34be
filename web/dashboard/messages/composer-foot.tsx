import { BookmarkSquareIcon, EyeIcon, FaceSmileIcon, PaperClipIcon } from '@heroicons/react/20/solid'
import { FileButton, Group, Popover } from '@mantine/core'
import { type ReactNode, Suspense, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import type { EditorRef } from '../rich-text/editor-handle.ts'
import { FormatButtons } from '../rich-text/format-buttons.tsx'
import { Tool } from '../rich-text/tool.tsx'
import { attach } from './attach.ts'
import classes from './composer.module.css'
import type { DraftPlace, MessageDraft } from './draft.ts'
import { EmojiGrid } from './emoji-grid.tsx'

const CannedPicker = lazily(() => import('./canned-picker.tsx'))
const Preview = lazily(() => import('./preview.tsx'))

interface Props {
  place: DraftPlace
  draft: MessageDraft
  editor: EditorRef
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
