import { Tooltip } from '@mantine/core'
import type { LoadedProps } from '../core/lazy-target.tsx'

/** Beside a link of the rail, which shows only an icon on wide screens. */
export default function PlaceTooltip({ label, target }: LoadedProps & { label: string }) {
  return (
    <Tooltip label={label} position="right">
      {target({})}
    </Tooltip>
  )
}
