import { Popover, Stack } from '@mantine/core'
import { useState } from 'react'
import type { LoadedProps } from '../core/lazy-target.tsx'
import { Filters } from './filters.tsx'

/** The filters of the list, which open below their button. */
export default function FilterPopover({ target, isOpenAtFirst }: LoadedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={250}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>{target({ onClick: () => setOpen(!isOpen) })}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Filters onClose={() => setOpen(false)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
