import { ExclamationTriangleIcon, XMarkIcon } from '@heroicons/react/16/solid'
import { Popover, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { pageText } from '../../core/page-text.ts'
import classes from './chips.module.css'
import type { Leaf } from './condition.ts'
import type { FieldInfo } from './fields.ts'
import { LeafEditor, useDraft } from './leaf-editor.tsx'

interface ChipProps {
  words: string
  /** What must be repaired. */
  problem?: string
  onRemove(): void
}

const isRemoval = ({ key }: KeyboardEvent): boolean => key === 'Backspace' || key === 'Delete'

const RemoveButton = ({ words, onRemove }: ChipProps) => (
  <button
    type="button"
    className={classes.remove}
    aria-label={pageText.conditions.removeFilter(words)}
    onClick={onRemove}
  >
    <XMarkIcon width={14} aria-hidden />
  </button>
)

const Words = ({ words, problem }: ChipProps) => (
  <>
    {problem && <ExclamationTriangleIcon width={14} aria-hidden />}
    <span dir="auto">{words}</span>
  </>
)

interface LeafChipProps extends ChipProps {
  info: FieldInfo
  leaf: Leaf
  onChange(leaf: Leaf): void
}

/** One comparison of the filters. */
export function LeafChip({ info, leaf, onChange, ...chip }: LeafChipProps) {
  const [isOpen, setOpen] = useState(false)
  const { words, problem, onRemove } = chip
  return (
    <li className={classes.chip} data-problem={problem ? true : undefined}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        width={290}
        trapFocus
        returnFocus
        shadow="md"
        // Without a transition, because the editor saves when it is removed: before a click elsewhere can remove the filter.
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.words}
            aria-label={pageText.conditions.edit(words)}
            title={problem ?? words}
            onClick={() => setOpen(!isOpen)}
            onKeyDown={event => isRemoval(event) && onRemove()}
          >
            <Words {...chip} />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={pageText.conditions.edit(words)}>
          {problem && (
            <Text size="sm" c="var(--mantine-color-error)" mb="xs">
              {problem}
            </Text>
          )}
          <ChipEditor info={info} leaf={leaf} onChange={onChange} onClose={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      <RemoveButton {...chip} />
    </li>
  )
}

interface EditorProps {
  info: FieldInfo
  leaf: Leaf
  onChange(leaf: Leaf): void
  onClose(): void
}

function ChipEditor({ info, leaf, onChange, onClose }: EditorProps) {
  const { draft, setDraft } = useDraft(leaf, info, onChange)
  return <LeafEditor info={info} leaf={draft} onChange={setDraft} onClose={onClose} />
}

/** A group of the filters, or a comparison of a deleted field. It is edited in the dialog. */
export function GroupChip({ onOpen, ...chip }: ChipProps & { onOpen(): void }) {
  const { words, problem, onRemove } = chip
  return (
    <li className={classes.chip} data-problem={problem ? true : undefined}>
      <button
        type="button"
        className={classes.words}
        aria-label={pageText.conditions.edit(words)}
        aria-haspopup="dialog"
        title={problem ?? words}
        onClick={onOpen}
        onKeyDown={event => isRemoval(event) && onRemove()}
      >
        <Words {...chip} />
      </button>
      <RemoveButton {...chip} />
    </li>
  )
}
