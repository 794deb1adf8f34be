import {
  BoldIcon,
  CodeBracketIcon,
  EllipsisHorizontalIcon,
  H2Icon,
  H3Icon,
  ItalicIcon,
  LinkIcon,
  ListBulletIcon,
  NumberedListIcon,
  TableCellsIcon,
} from '@heroicons/react/20/solid'
import { Button, Group, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Icon } from '../core/icon.ts'
import { preference, usePreferences } from '../core/preferences.ts'
import { text } from '../core/text.ts'
import type { EditorRef } from './editor-handle.ts'
import type { Mark } from './marks.ts'
import { Tool } from './tool.tsx'

type Buttons = readonly (readonly [Mark, Icon])[]

const inMessages: Buttons = [
  ['bold', BoldIcon],
  ['italic', ItalicIcon],
  ['link', LinkIcon],
  ['list', ListBulletIcon],
  ['code', CodeBracketIcon],
]
const inArticles: Buttons = [
  ['heading', H2Icon],
  ['subheading', H3Icon],
  ...inMessages.slice(0, 4),
  ['numbers', NumberedListIcon],
  ['table', TableCellsIcon],
]
const all = ['strike', 'numbers', 'quote', 'code', 'codeBlock', 'table'] as const
const inTable = ['addRow', 'addColumn', 'deleteRow', 'deleteColumn', 'deleteTable'] as const

interface Props {
  editor: EditorRef
  isArticle?: boolean
  /** More tools. */
  children?: ReactNode
}

/** Formats the selected text. A phone has space for the menu only, which lists all marks there. */
export function FormatButtons({ editor, isArticle, children }: Props) {
  const active = editor.marks.use()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const buttons = isArticle ? inArticles : inMessages
  const names = buttons.map(([mark]) => mark)
  const isInTable = active.includes('table')
  const others = isInTable && !isArticle ? inTable : all.filter(mark => !names.includes(mark))
  return (
    <>
      <Group gap={2} role="group" aria-label={text.composer.format}>
        {!isNarrow && buttons.map(([mark, icon]) => <MarkTool key={mark} {...{ editor, mark, icon }} />)}
        {children}
        <MoreFormats editor={editor} marks={isNarrow ? [...names, ...others] : others} />
      </Group>
      {isArticle && isInTable && <TableButtons editor={editor} />}
    </>
  )
}

// The text keeps the focus and its selection.
const keepFocus = (event: React.MouseEvent) => event.preventDefault()

const MarkTool = ({ editor, mark, icon }: { editor: EditorRef; mark: Mark; icon: Icon }) => (
  <Tool
    icon={icon}
    name={text.composer[mark]}
    aria-pressed={editor.marks.use().includes(mark)}
    onMouseDown={keepFocus}
    onClick={() => editor.current?.mark(mark)}
  />
)

const TableButtons = ({ editor }: { editor: EditorRef }) => (
  <Group gap={4} my={4} role="group" aria-label={text.composer.table}>
    {inTable.map(mark => (
      <Button
        key={mark}
        size="compact-xs"
        variant="default"
        onMouseDown={keepFocus}
        onClick={() => editor.current?.mark(mark)}
      >
        {text.composer[mark]}
      </Button>
    ))}
  </Group>
)

/** These marks, and the choice between formatted and plain text. */
function MoreFormats({ editor, marks }: { editor: EditorRef; marks: readonly Mark[] }) {
  const { plainMarkdown } = usePreferences()
  return (
    <Menu position="top-start" returnFocus={false}>
      <Menu.Target>
        <Tool icon={EllipsisHorizontalIcon} name={text.composer.moreFormats} />
      </Menu.Target>
      <Menu.Dropdown>
        {marks.map(mark => (
          <Menu.Item key={mark} onClick={() => editor.current?.mark(mark)}>
            {text.composer[mark]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => preference.set('plainMarkdown', !plainMarkdown)}>
          {plainMarkdown ? text.composer.richText : text.composer.plainMarkdown}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
