import { Select, type SelectProps } from '@mantine/core'

const zones = Intl.supportedValuesOf('timeZone')

interface Props extends Omit<SelectProps, 'data'> {
  /** The zone that is set, which the browser may list by another name. */
  current: string
}

export const TimezoneField = ({ current, ...props }: Props) => (
  <Select
    data={[...new Set([current, 'UTC', ...zones])].filter(Boolean)}
    searchable
    limit={60}
    allowDeselect={false}
    maw={420}
    dir="ltr"
    {...props}
  />
)
