import { ColorInput, type ColorInputProps, ColorSwatch } from '@mantine/core'

/** Colours to begin with. */
const swatches = ['#1a73e8', '#0f766e', '#15803d', '#b45309', '#be123c', '#7c3aed', '#475569']

interface Props extends ColorInputProps {
  /** What counts where none is chosen. */
  usual?: string
}

/** A colour: typed, or one of those to begin with. */
export const ColorField = ({ usual, ...props }: Props) => (
  <ColorInput
    withEyeDropper={false}
    withPicker={false}
    withPreview={Boolean(props.value) || !usual}
    leftSection={usual && <ColorSwatch size={18} color={usual} />}
    placeholder={usual}
    swatches={swatches}
    maw={420}
    dir="ltr"
    {...props}
  />
)
