import { BoldIcon, CodeBracketIcon, ItalicIcon, LinkIcon, ListBulletIcon } from '@heroicons/react/20/solid'
import { Group } from '@mantine/core'
import type { RefObject } from 'react'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import classes from './composer.module.css'
import type { EditorHandle } from './editor.tsx'
import type { Mark } from './marking.ts'
import { Tool } from './tool.tsx'

const marks: [Mark, Icon, keyof typeof text.composer & Mark][] = [
  ['bold', BoldIcon, 'bold'],
  ['italic', ItalicIcon, 'italic'],
  ['link', LinkIcon, 'link'],
  ['list', ListBulletIcon, 'list'],
  ['code', CodeBracketIcon, 'code'],
]

export const FormatButtons = ({ editor }: { editor: RefObject<EditorHandle | null> }) => (
  <Group gap={2} className={classes.format} role="group" aria-label={text.composer.format}>
    {marks.map(([mark, icon, name]) => (
      <Tool key={mark} icon={icon} name={text.composer[name]} onClick={() => editor.current?.wrap(mark)} />
    ))}
  </Group>
)
