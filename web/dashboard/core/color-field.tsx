import { ColorInput, type ColorInputProps } from '@mantine/core'

/** Colours to begin with. */
const swatches = ['#1a73e8', '#0f766e', '#15803d', '#b45309', '#be123c', '#7c3aed', '#475569']

/** A colour: typed, or one of those to begin with. */
export const ColorField = (props: ColorInputProps) => (
  <ColorInput withEyeDropper={false} withPicker={false} swatches={swatches} maw={420} dir="ltr" {...props} />
)
