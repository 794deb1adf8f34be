import { Button, Group, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { text } from '../core/text.ts'
import { isArticle } from './read-markdown.ts'
import { isAllowedUrl, isArticleUrl } from './schema.ts'

const defaultScheme = 'https:'

/** Null if it is not an address of a page, a mailbox or a phone. */
function addressOf(typed: string, { schema }: Editor): string | null {
  const address = typed.trim()
  if ((isArticle(schema) ? isArticleUrl : isAllowedUrl)(address)) return address
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(address)) return `mailto:${address}`
  return /^[^\s/:?#.]+(?:\.[^\s/:?#.]+)+(?::\d+)?(?:[/?#]\S*)?$/.test(address)
    ? `${defaultScheme}//${address}`
    : null
}

/** The link in the selection, and its words. */
function linkIn(editor: Editor): { href: string; words: string } {
  const { href = '' } = editor.getAttributes('link')
  const { from, to } = editor.state.selection
  return { href, words: editor.state.doc.textBetween(from, to, ' ') }
}

interface Props {
  editor: Editor
  onClose(): void
}

function useLink({ editor, onClose }: Props) {
  const [link] = useState(() => linkIn(editor))
  const [address, setAddress] = useState(link.href || addressOf(link.words, editor) || '')
  const [words, setWords] = useState('')
  const [isWrong, setWrong] = useState(false)
  useEffect(() => setWrong(false), [address])
  const close = () => {
    onClose()
    editor.view.focus()
  }
  const save = () => {
    const href = addressOf(address, editor)
    if (!href) return setWrong(true)
    const marks = [{ type: 'link', attrs: { href } }]
    if (link.words) editor.chain().setLink({ href }).setTextSelection(editor.state.selection.to).run()
    else editor.commands.insertContent({ type: 'text', text: words.trim() || address.trim(), marks })
    close()
  }
  const remove = () => {
    editor.commands.unsetLink()
    close()
  }
  return { link, address, setAddress, words, setWords, isWrong, save, remove, close }
}

/** Enter saves, also in a form around it, and Escape closes. */
function press(event: KeyboardEvent, save: () => void, close: () => void): void {
  const act = { Enter: save, Escape: close }[event.key]
  if (!act || event.nativeEvent.isComposing) return
  if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/** Adds a link to the selected text, or changes or removes the link at the cursor. */
export function LinkForm(props: Props) {
  const { link, save, remove, close, ...fields } = useLink(props)
  return (
    <Group
      role="group"
      aria-label={text.composer.link}
      gap="xs"
      mt={6}
      align="flex-start"
      onKeyDown={event => press(event, save, close)}
    >
      <Fields {...fields} isNew={!link.words} />
      <Button size="xs" data-mantine-stop-propagation onClick={save}>
        {text.composer.linkSave}
      </Button>
      {link.href && (
        <Button size="xs" variant="default" data-mantine-stop-propagation onClick={remove}>
          {text.composer.linkRemove}
        </Button>
      )}
    </Group>
  )
}

type FieldsProps = Pick<
  ReturnType<typeof useLink>,
  'address' | 'setAddress' | 'words' | 'setWords' | 'isWrong'
> & { isNew: boolean }

const Fields = ({ address, setAddress, words, setWords, isWrong, isNew }: FieldsProps) => (
  <>
    <TextInput
      aria-label={text.composer.linkAddress}
      placeholder={text.composer.linkHere}
      size="xs"
      flex="2 1 10rem"
      dir="ltr"
      inputMode="url"
      autoFocus
      data-mantine-stop-propagation
      value={address}
      error={isWrong && text.composer.linkWrong}
      onChange={event => setAddress(event.currentTarget.value)}
    />
    {isNew && (
      <TextInput
        aria-label={text.composer.linkText}
        placeholder={text.composer.linkText}
        size="xs"
        flex="1 1 8rem"
        dir="auto"
        data-mantine-stop-propagation
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
    )}
  </>
)
