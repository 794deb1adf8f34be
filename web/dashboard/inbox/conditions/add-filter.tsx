import { Popover } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { LoadedProps } from '../../core/lazy-target.tsx'
import { pageText } from '../../core/page-text.ts'
import { PickerList } from '../../core/picker.tsx'
import { useConditions } from '../inbox.ts'
import { advancedFilter } from './advanced-state.ts'
import { type Group, itemsOf, joinOf, type Leaf, makeGroup } from './condition.ts'
import { type FieldInfo, newLeaf, useFields } from './fields.ts'
import { LeafEditor, useDraft } from './leaf-editor.tsx'

const advancedId = 'advanced'
const unreadId = 'unread only'
const customId = 'custom'

/** The button that adds a filter: first the field, then its values. */
export default function AddFilter({ target, isOpenAtFirst }: LoadedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const close = () => setOpen(false)
  const box = useRef<HTMLDivElement>(null)
  useReturn(isOpen)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={290} trapFocus shadow="md">
      <Popover.Target>{target({ onClick: () => setOpen(!isOpen) })}</Popover.Target>
      <Popover.Dropdown aria-label={pageText.conditions.add}>
        <div ref={box}>
          <Steps onStep={() => focusFirst(box.current)} onClose={close} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Focuses the button after the popover was closed. Mantine does not if the popover was open when it was loaded. */
function useReturn(isOpen: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) document.querySelector<HTMLElement>('[data-add-filter]')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
}

const focusFirst = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('[data-autofocus]')?.focus()

function Steps({ onStep, onClose }: { onStep(): void; onClose(): void }) {
  const { conditions, change } = useConditions()
  // The filters before this one was added.
  const [first] = useState(conditions)
  const [info, setInfo] = useState<FieldInfo | null>(null)
  const [isCustom, setCustom] = useState(false)
  const fields = useFields()
  // The field that had the focus is gone.
  useLayoutEffect(onStep, [info, isCustom])
  const add = (leaf: Leaf, isReplaced = false) => change(withLeaf(first, leaf), isReplaced)
  const choose = (id: string) => {
    const chosen = fields.find(({ field }) => field === id)
    if (chosen && chosen.kind !== 'flag') return setInfo(chosen)
    onClose()
    if (id === advancedId) advancedFilter.set(true)
    else add({ field: id === unreadId ? 'is_unread' : id, op: 'is', value: true })
  }
  if (!info) return <FieldList fields={fields} onChoose={choose} onClose={onClose} />
  if ((info.kind === 'time' || info.kind === 'date') && !isCustom) {
    const preset = (leaf: Leaf) => {
      onClose()
      add(leaf)
    }
    return <Presets info={info} onChoose={preset} onCustom={() => setCustom(true)} onClose={onClose} />
  }
  return <NewLeaf info={info} onChange={add} onClose={onClose} />
}

const withLeaf = (group: Group, leaf: Leaf): Group => makeGroup(joinOf(group), [...itemsOf(group), leaf])

interface ListProps {
  fields: FieldInfo[]
  onChoose(id: string): void
  onClose(): void
}

const FieldList = ({ fields, onChoose, onClose }: ListProps) => (
  <PickerList
    isMulti
    title={pageText.conditions.addTitle}
    choices={[
      { id: unreadId, label: pageText.conditions.unreadOnly },
      ...fields.flatMap(({ field, label }) => (field === 'is_unread' ? [] : [{ id: field, label }])),
      { id: advancedId, label: pageText.conditions.advanced },
    ]}
    onChoose={onChoose}
    onClose={onClose}
  />
)

interface PresetProps {
  info: FieldInfo
  onChoose(leaf: Leaf): void
  onCustom(): void
  onClose(): void
}

function Presets({ info, onChoose, onCustom, onClose }: PresetProps) {
  const { presets, olderPresets, custom } = pageText.conditions
  const list = (op: string, labels: Record<string, string>) =>
    Object.entries(labels).map(([duration, label]) => ({ id: `${op} ${duration}`, label }))
  const choose = (id: string) => {
    const [op = '', value = ''] = id.split(' ')
    if (id === customId) onCustom()
    else onChoose({ field: info.field, op, value })
  }
  return (
    <PickerList
      isMulti
      title={info.label}
      choices={[
        ...list('within_last', presets),
        ...list('older_than', olderPresets),
        { id: customId, label: custom },
      ]}
      onChoose={choose}
      onClose={onClose}
    />
  )
}

interface NewProps {
  info: FieldInfo
  onChange(leaf: Leaf, isReplaced: boolean): void
  onClose(): void
}

function NewLeaf({ info, onChange, onClose }: NewProps) {
  const [isAdded, setAdded] = useState(false)
  const { draft, setDraft } = useDraft(newLeaf(info), info, leaf => {
    onChange(leaf, isAdded)
    setAdded(true)
  })
  return <LeafEditor info={info} leaf={draft} onChange={setDraft} onClose={onClose} />
}
